// Examples of the site run where they stand: `node test/site.mjs SITE`.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { launched, served } from "./common.mjs";

const site = process.argv[2];
const browser = await launched();
if (!browser) {
  console.log("note: no Chromium: the site is not opened");
  process.exit(0);
}
const { server, address } = await served(site);
const pages = readdirSync(site, { recursive: true }).filter(own => own.endsWith(".html") && !own.startsWith("playground"));
const withExamples = pages.filter(own => readFileSync(join(site, own), "utf8").includes("<pre data-pamela>"));
let [ran, wrong] = [0, []];
const page = await browser.newPage();
page.on("pageerror", error => wrong.push(String(error)));
for (const name of withExamples.filter((_, k) => process.env.PAMELA_ALL || k % 8 === 0)) {
  await page.goto(address + name);
  await page.waitForSelector(".pamela-example button", { timeout: 30_000 });
  for (const button of await page.$$(".pamela-example button")) {
    await button.evaluate(own => own.click());
    const answer = await button.evaluateHandle(own => own.parentElement.nextElementSibling);
    await page.waitForFunction(own => "shown" in own.dataset, { timeout: 60_000 }, answer);
    const [text, isWrong] = await answer.evaluate(own => [own.textContent, own.classList.contains("wrong")]);
    if (isWrong || !text) wrong.push(`${name}: ${text}`);
    ran += 1;
  }
}
// The example opens in the playground with its text.
const example = await page.$eval("pre[data-pamela] code", own => own.textContent);
await page.$eval(".pamela-example a", own => own.click());
await page.waitForFunction(() => document.body.dataset.shown, { timeout: 60_000 });
const opened = await page.evaluate(() => [...document.querySelectorAll(".cm-line")].map(line => line.textContent).join("\n"));
if (!opened.includes(example.trim().split("\n")[0])) wrong.push(`the playground shows ${opened}`);
await browser.close();
server.close();
server.closeAllConnections();
wrong.forEach(own => console.log(`FAILED: ${own}`));
console.log(`${ran} examples on ${withExamples.length} pages`);
console.log(`${ran + 1 - wrong.length} passed, ${wrong.length} failed`);
process.exit(wrong.length || ran === 0 ? 1 : 0);
