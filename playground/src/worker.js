// Runs the compiler beside the page, which stays quick.
import { start } from "./module.js";

let compiler = null;

onmessage = async ({ data }) => {
  try {
    if (data.start) {
      const module = data.module || await WebAssembly.compileStreaming(fetch(data.start));
      compiler = await start(module);
      postMessage({ started: module });
    } else {
      postMessage({ number: data.number, answer: compiler.ask(data.request), bytes: compiler.bytes() });
    }
  } catch (error) {
    postMessage({ number: data.number, failed: error.message });
  }
};
