// Makes the examples of a book run: `node site.mjs SITE`. An example is a block of code that is a model without errors.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { start } from "./src/module.js";

const site = process.argv[2];
const parts = JSON.parse(readFileSync(join(site, "playground/parts.json"), "utf8"));
const { ask } = await start(await WebAssembly.compile(readFileSync(join(site, "playground", parts.module))));
const plain = html => html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", "\"").replaceAll("&#39;", "'").replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
const isModel = text => /^\s*(numeric|process|resource)\s/m.test(text) && (ask({ do: "check", text }).ok || [{ severity: "error" }]).every(own => own.severity !== "error");

let pages = 0, examples = 0;
for (const file of readdirSync(site, { recursive: true }).filter(own => own.endsWith(".html") && !own.startsWith("playground"))) {
  const path = join(site, file);
  let own = 0;
  const text = readFileSync(path, "utf8").replace(/<pre><code( class="[^"]*")?>([\s\S]*?)<\/code><\/pre>/g, (all, _, code) => {
    if (code.includes("<") || !isModel(plain(code))) return all;
    own += 1;
    return all.replace("<pre>", "<pre data-pamela>");
  });
  const to = relative(dirname(path), join(site, "playground")) || ".";
  const link = `<a href="${to}/" title="Playground" aria-label="Playground">Playground</a>`;
  let whole = text.replace(/<div class="right-buttons">/, `<div class="right-buttons">${link}`);
  if (own > 0) whole = whole.replace("</body>", `<script type="module" src="${to}/${parts.embed}"></script>\n</body>`);
  writeFileSync(path, whole);
  pages += 1;
  examples += own;
}
console.log(`${pages} pages with ${examples} examples that run`);
if (examples === 0) process.exit(1);
