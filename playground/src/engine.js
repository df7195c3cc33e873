// Hires workers and gives them requests, one at a time. A worker that takes too long is ended, and a new one is hired.

export class Engine {
  constructor(worker, module, seconds) {
    this.places = { worker, module };
    this.seconds = seconds;
    this.module = null;
    this.number = 0;
    this.busy = null;
    this.waiting = [];
    this.hire();
  }

  hire() {
    const worker = new Worker(this.places.worker, { type: "module" });
    this.worker = worker;
    this.ready = false;
    worker.onmessage = ({ data }) => this.worker === worker && this.take(data);
    worker.onerror = event => this.worker === worker && this.take({ failed: event.message || "the worker cannot start" });
    worker.postMessage({ start: this.places.module, module: this.module });
  }

  take(data) {
    if (data.started) {
      this.module = data.started;
      this.ready = true;
      return this.next();
    }
    const job = this.busy;
    this.busy = null;
    if (job) clearTimeout(job.timer);
    if (data.failed !== undefined) {
      // A compiler that failed is of no more use. Without a module, it never started.
      const error = new Error(`The compiler failed: ${data.failed}`);
      if (job) job.reject(error); else this.waiting.splice(0).forEach(other => other.reject(error));
      if (this.module) this.replace();
      return;
    }
    this.bytes = data.bytes;
    if (job) job.resolve(data.answer);
    this.next();
  }

  replace() {
    this.worker.terminate();
    this.hire();
  }

  next() {
    if (!this.ready || this.busy || this.waiting.length === 0) return;
    const job = this.waiting.shift();
    this.busy = job;
    job.began = performance.now();
    job.timer = setTimeout(() => this.end(new Error(`Stopped after ${this.seconds} s.`)), this.seconds * 1000);
    this.worker.postMessage({ number: job.number, request: job.request });
  }

  // Ends the request that is running.
  end(error) {
    const job = this.busy;
    this.busy = null;
    if (job) {
      clearTimeout(job.timer);
      job.reject(error);
    }
    this.replace();
  }

  // Forgets what waits, and ends what has run for long: its answers are not wanted any more.
  forget() {
    this.waiting.splice(0).forEach(job => job.reject(new Forgotten()));
    if (this.busy && performance.now() - this.busy.began > 1000) this.end(new Forgotten());
  }

  ask(request) {
    return new Promise((resolve, reject) => {
      this.number += 1;
      this.waiting.push({ number: this.number, request, resolve, reject });
      this.next();
    });
  }
}

export class Forgotten extends Error {}
