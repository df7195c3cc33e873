// Typesets what it reads on standard input, a JSON list of {place, latex}, in KaTeX's strict mode.
// Argument: the directory that KaTeX is installed in. Prints what KaTeX rejects, one per line.
const { readFileSync } = require("fs");
const katex = require(process.argv[2] + "/node_modules/katex");

for (const { place, latex } of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    katex.renderToString(latex, { displayMode: true, strict: "error", throwOnError: true });
  } catch (error) {
    console.log(`${place}: ${error.message}: ${latex}`);
  }
}
