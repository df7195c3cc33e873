// Puts the playground together: `node bundle.mjs MODULE OUTPUT`. Names of files hold hashes of their contents.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import { start } from "./src/module.js";

const [modulePath, output] = process.argv.slice(2);
const here = dirname(new URL(import.meta.url).pathname);
const corpus = join(here, "../corpus");

const files = [];
function write(name, content) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
  const [stem, ending] = [name.replace(/\.[^.]*$/, ""), name.split(".").pop()];
  const own = `${stem}-${hash}.${ending}`;
  writeFileSync(join(output, own), content);
  files.push(own);
  return own;
}

async function bundled(entry, define = {}) {
  const result = await build({
    entryPoints: [join(here, entry)], bundle: true, minify: true, format: "esm", target: "es2022", write: false, legalComments: "none",
    define: Object.fromEntries(Object.entries(define).map(([key, value]) => [key, JSON.stringify(value)])),
  });
  return result.outputFiles[0].text;
}

// The models that the page offers, with their first comment as title, and the files that they include.
function gallery(words) {
  const models = [], included = {};
  for (const [folder, group] of [["papers", "Papers"], ["patterns", "Patterns"], ["codes", "Codes"], ["practice", "Practice"]]) {
    for (const file of readdirSync(join(corpus, folder)).filter(own => own.endsWith(".pam")).sort()) {
      const text = readFileSync(join(corpus, folder, file), "utf8");
      for (const [, path] of text.matchAll(/^\s*include\s+"([^"]+)"/gm)) {
        const name = join(folder, path);
        included[name] = readFileSync(join(corpus, name), "utf8");
      }
      const comment = /^%\s*(.*?)[.:]?\s*$/m.exec(text);
      models.push({ name: `${folder}/${basename(file, ".pam")}`, group, title: (comment ? comment[1] : file).slice(0, 72), text });
    }
  }
  // A file that others include is no model of its own.
  const whole = models.filter(model => !(`${model.name}.pam` in included));
  whole.sort((a, b) => Number(b.name === "papers/mrm") - Number(a.name === "papers/mrm"));
  return { words, models: whole, files: included };
}

// A module without its names of functions, which are a third of it.
function stripped(bytes) {
  const parts = [bytes.subarray(0, 8)];
  for (let place = 8; place < bytes.length;) {
    const start = place, section = bytes[place++];
    let length = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      more = bytes[place] > 127;
      length += (bytes[place++] & 127) * 2 ** shift;
    }
    place += length;
    if (section !== 0) parts.push(bytes.subarray(start, place));
  }
  return Buffer.concat(parts);
}

const wasm = stripped(readFileSync(modulePath));
const compiler = await start(await WebAssembly.compile(wasm));
const words = compiler.ask({ do: "words" }).ok;
const code = compiler.ask({ do: "code", text: "numeric parameter x\nnumeric f = x + 1" }).ok;
const languages = code.filter(own => own.name !== "latex").map(({ name, about }) => ({ name, about }));

const MODULE = write("pamela.wasm", wasm);
const GALLERY = write("gallery.json", JSON.stringify({ ...gallery(words), languages }));
const WORKER = write("worker.js", await bundled("src/worker.js"));
const embed = write("embed.js", await bundled("src/embed.js", { MODULE, WORKER }));
const main = write("main.js", await bundled("src/main.js", { MODULE, GALLERY, WORKER }));
const style = write("style.css", readFileSync(join(here, "src/style.css")));
const page = readFileSync(join(here, "index.html"), "utf8").replace('"style.css"', `"${style}"`).replace('"main.js"', `"${main}"`);
writeFileSync(join(output, "index.html"), page);
const VERSION = createHash("sha256").update(page).digest("hex").slice(0, 10);
writeFileSync(join(output, "offline.js"), await bundled("src/offline.js", { VERSION, FILES: ["./", ...files] }));
// What other pages need to run examples.
writeFileSync(join(output, "parts.json"), JSON.stringify({ module: MODULE, worker: WORKER, embed }));
