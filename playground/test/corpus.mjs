// Each model of the corpus has the same closed forms by WebAssembly as by the program: `node test/corpus.mjs MODULE PAMELA`.
// Also the budgets of the module: size, time to the first closed form, memory.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { start } from "../src/module.js";

const [modulePath, pamela] = process.argv.slice(2);
const root = join(dirname(new URL(import.meta.url).pathname), "../..");
const every = process.env.PAMELA_ALL ? 1 : 8;
let [passed, failed, skipped] = [0, 0, 0];
const check = (holds, said) => {
  holds ? passed++ : failed++;
  if (!holds) console.log(`FAILED: ${said}`);
};

// Budgets come first: nothing else has warmed up.
const wasm = readFileSync(modulePath);
const [gzip, brotli] = [gzipSync(wasm, { level: 9 }).length, brotliCompressSync(wasm).length];
const mrm = readFileSync(join(root, "corpus/papers/mrm.pam"), "utf8");
const before = process.cpuUsage();
let compiler = await start(await WebAssembly.compile(wasm));
const first = compiler.ask({ do: "simplify", text: mrm });
const used = process.cpuUsage(before);
const seconds = (used.user + used.system) / 1e6;
console.log(`module ${wasm.length} bytes, ${gzip} by gzip, ${brotli} by brotli; first closed form ${seconds.toFixed(2)} s of processor time, ${(compiler.bytes() / 2 ** 20).toFixed(0)} MiB`);
check(brotli <= 2_000_000, `the module takes ${brotli} bytes compressed, more than 2 MB`);
check(seconds <= 1, `the first closed form takes ${seconds} s`);
const time = first.ok.equations.find(own => own.name === "T_main");
check(time && time.formula === "N * max(tl + ts, P * ts)", `T_main is ${JSON.stringify(first)}`);

// What users can nest: either an answer or a message, and the next request is answered all the same.
const sums = count => `numeric parameter N : integer >= 1\nnumeric f = ${Array.from({ length: count }, (_, k) => `sum (i${k} = 1, N) `).join("")}1`;
for (const [name, text] of [
  ["60 sums", sums(60)],
  ["240 brackets", `numeric parameter x\nnumeric f = ${"(".repeat(240)}x${")".repeat(240)}`],
  ["10,000 brackets", `numeric parameter x\nnumeric f = ${"(".repeat(1e4)}x${")".repeat(1e4)}`],
  ["a chain of 3,000 equations", "numeric f0 = 1\n" + Array.from({ length: 3000 }, (_, k) => `numeric f${k + 1} = f${k} + 1`).join("\n")],
]) {
  let said = "an answer";
  try {
    const answer = compiler.ask({ do: "simplify", text });
    if (answer.error) said = answer.error.split("\n")[0];
  } catch (error) {
    said = `the compiler ended: ${error.message.split("\n")[0]}`;
    compiler = await start(await WebAssembly.compile(wasm));
  }
  console.log(`${name}: ${said}`);
  check(!said.startsWith("the compiler ended") || name.includes("chain"), `${name}: ${said}`);
}

function* models(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* models(path);
    else if (entry.name.endsWith(".pam")) yield path;
  }
}

// The files that a model names, and those that they name.
function filesOf(path, files = {}) {
  for (const [, other] of readFileSync(path, "utf8").matchAll(/"([^"\n]+)"/g)) {
    const own = [other, `${other}.pam`].map(name => join(dirname(path), name)).find(name => existsSync(name));
    if (own && !(relative(root, own) in files)) {
      files[relative(root, own)] = readFileSync(own, "utf8");
      filesOf(own, files);
    }
  }
  return files;
}

const native = path => new Promise(resolve =>
  execFile(pamela, ["simplify", path, "--emit", "json"], { cwd: root, maxBuffer: 2 ** 28 }, (_, stdout, stderr) => resolve({ stdout, stderr })));

function comparable(data) {
  delete data.statistics;
  delete data.model;
  // Numbers of laws may differ in their last digits: the processor computes them in another order.
  return JSON.stringify(data);
}

const all = [...models(join(root, "corpus"))].sort();
let most = 0, forms = 0;
async function compare(path) {
  const name = relative(root, path);
  const { stdout, stderr } = await native(name);
  let own;
  try {
    own = compiler.ask({ do: "simplify", text: readFileSync(path, "utf8"), name, files: filesOf(path) });
  } catch (error) {
    compiler = await start(await WebAssembly.compile(wasm));
    return check(false, `${name}: ${error.message}`);
  }
  most = Math.max(most, compiler.bytes());
  if (!stdout.trim()) {
    const first = stderr.split("\n").find(line => line.startsWith("error"));
    return check(own.error && own.error.split("\n").includes(first), `${name}: native says ${first}, wasm ${JSON.stringify(own).slice(0, 300)}`);
  }
  if (own.error) return check(false, `${name}: ${own.error}`);
  forms += own.ok.equations.length;
  const [expected, found] = [comparable(JSON.parse(stdout)), comparable(own.ok)];
  let k = 0;
  while (k < expected.length && expected[k] === found[k]) k++;
  check(expected === found, `${name} differs: native ..${expected.slice(Math.max(0, k - 60), k + 120)}\n  wasm ..${found.slice(Math.max(0, k - 60), k + 120)}`);
}

if (pamela) {
  const chosen = all.filter((_, k) => k % every === 0);
  skipped = all.length - chosen.length;
  for (let k = 0; k < chosen.length; k += 2) await Promise.all(chosen.slice(k, k + 2).map(compare));
  console.log(`${chosen.length} models with ${forms} equations; at most ${(most / 2 ** 20).toFixed(0)} MiB` + (skipped ? `; PAMELA_ALL=1 compares the other ${skipped}` : ""));
} else {
  console.log("note: no program to compare with");
}
check(most <= 120 * 2 ** 20 || every > 1 && most === 0, `${most} bytes of memory`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed ? 1 : 0);
