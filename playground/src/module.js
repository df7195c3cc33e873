// The compiler as a module of WebAssembly: requests and answers are objects. It needs no files, no network and no arguments.

const BAD_DESCRIPTOR = 8, NOT_SUPPORTED = 52;

// What the module may ask of its host. `write` takes what it prints, which is the message of a panic.
function host(memory, write) {
  const view = () => new DataView(memory().buffer);
  return {
    clock_time_get: (_id, _precision, place) => {
      view().setBigUint64(place, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    random_get: (place, length) => {
      crypto.getRandomValues(new Uint8Array(memory().buffer, place, length));
      return 0;
    },
    environ_sizes_get: (count, size) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_write: (_descriptor, parts, count, written) => {
      let total = 0;
      for (let k = 0; k < count; k++) {
        const [place, length] = [0, 4].map(offset => view().getUint32(parts + 8 * k + offset, true));
        write(new TextDecoder().decode(new Uint8Array(memory().buffer, place, length)));
        total += length;
      }
      view().setUint32(written, total, true);
      return 0;
    },
    fd_prestat_get: () => BAD_DESCRIPTOR,
    sched_yield: () => 0,
    proc_exit: code => {
      throw new Error(`the compiler ended with code ${code}`);
    },
  };
}

// Starts a compiled module and returns a function that answers requests. It throws if the compiler fails; then the module must
// be started anew.
export async function start(module) {
  let instance = null, printed = "";
  const functions = host(() => instance.exports.memory, text => { printed += text; });
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ||= {};
    imports[from][name] = functions[name] || (() => NOT_SUPPORTED);
  }
  instance = await WebAssembly.instantiate(module, imports);
  const { memory, request, answer, text, _initialize } = instance.exports;
  if (_initialize) _initialize();
  const ask = asked => {
    const bytes = new TextEncoder().encode(JSON.stringify(asked));
    printed = "";
    try {
      const place = request(bytes.length);
      new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
      const length = answer();
      return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, text(), length)));
    } catch (error) {
      throw new Error(printed.trim() || String(error));
    }
  };
  return { ask, bytes: () => memory.buffer.byteLength };
}
