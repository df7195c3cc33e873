// The playground in Chromium: `node test/browser.mjs FOLDER`. CHROMIUM names the browser.
import { join } from "node:path";
import { launched, served } from "./common.mjs";

const browser = await launched();
if (!browser) {
  console.log("note: no Chromium: the playground is not opened");
  process.exit(0);
}
let [passed, failed] = [0, 0];
const check = (holds, said) => {
  holds ? passed++ : failed++;
  console.log(`${holds ? "ok" : "FAILED"}: ${said}`);
};
const { server, address } = await served(process.argv[2]);
const errors = [];
const page = await browser.newPage();
await page.setViewport({ width: 1200, height: 800 });
page.on("console", message => message.type() === "error" && errors.push(message.text()));
page.on("pageerror", error => errors.push(String(error)));
page.on("requestfailed", request => errors.push(`${request.url()} ${request.failure().errorText}`));

const shown = () => page.evaluate(() => document.body.dataset.shown);
// Waits until the page shows another result than this one, that of the text.
const next = async (before, timeout = 60_000) => {
  await page.waitForFunction(own => {
    const { shown, wanted } = document.body.dataset;
    return shown !== own && shown?.startsWith(`${wanted}-`);
  }, { timeout }, before);
};
// Asks until it holds: messages between frames take their time.
const until = async (holds, seconds = 30) => {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
    if (await holds().catch(() => false)) return true;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return false;
};
const frame = () => page.frames().find(own => own.parentFrame() === page.mainFrame());
const text = () => page.evaluate(() => document.querySelector(".cm-content").cmView?.view?.state.doc.toString() ??
  [...document.querySelectorAll(".cm-line")].map(line => line.textContent).join("\n"));
const type = async content => {
  await page.click(".cm-content");
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  // As if pasted over the old text, which is one edit: no brackets are closed.
  const client = await page.createCDPSession();
  await client.send("Input.insertText", { text: content });
  await client.detach();
};

try {
  const began = Date.now();
  await page.goto(address);
  await next(undefined);
  const { ScriptDuration, TaskDuration, JSHeapUsedSize } = await page.metrics();
  console.log(`first result ${Date.now() - began} ms after navigation; page ${TaskDuration.toFixed(2)} s of tasks, ${(JSHeapUsedSize / 1e6).toFixed(0)} MB, scripts ${ScriptDuration.toFixed(2)} s`);
  const first = await frame().evaluate(() => document.body.innerText);
  check(first.includes("T_main"), "the first model shows a closed form");
  if (process.env.PAMELA_SCREENSHOTS) await page.screenshot({ path: join(process.env.PAMELA_SCREENSHOTS, "first.png") });

  const names = await page.evaluate(() => [...document.querySelectorAll("#gallery option")].map(own => own.value).filter(Boolean));
  const wrong = [];
  for (const name of names.slice(1)) {
    const before = await shown(), count = errors.length;
    await page.select("#gallery", name);
    await next(before).catch(() => wrong.push(`${name}: no result`));
    const said = await page.evaluate(() => document.getElementById("message").hidden ? "" : document.getElementById("message").textContent);
    if (said || errors.length > count) wrong.push(`${name}: ${said} ${errors.slice(count).join("; ")}`);
  }
  check(wrong.length === 0, `${names.length} models of the gallery open without an error${wrong.map(own => `\n  ${own}`).join("")}`);

  // Sliders: values and curves move with them, and they stay where the text changes.
  let before = await shown();
  await page.select("#gallery", names[0]);
  await next(before);
  const look = () => frame().evaluate(() => ({
    value: document.querySelector("[id^=value-]").textContent, curve: document.querySelector(".picture polyline")?.getAttribute("points"),
    at: document.getElementById("at-N").textContent,
  }));
  const old = await look();
  await frame().evaluate(() => {
    const slider = document.getElementById("slider-N");
    slider.value = String(Number(slider.value) + 5);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const moved = await look();
  check(old.value !== moved.value && old.curve !== moved.curve && old.at !== moved.at, `a slider moves a value and a curve: N = ${old.at} to ${moved.at}, the value from ${old.value} to ${moved.value}`);
  before = await shown();
  await page.click(".cm-content");
  await page.keyboard.type("% a comment");
  await page.keyboard.press("Enter");
  await next(before);
  check(await until(async () => (await look()).at === moved.at), "the slider stays when the text changes");

  for (const [tab, expected] of [["derivation", "numeric"], ["latex", "\\["], ["code", "double"]]) {
    before = await shown();
    await page.click(`[data-tab=${tab}]`);
    await next(before);
    const output = await page.evaluate(() => document.getElementById("output").textContent);
    check(output.includes(expected), `the tab ${tab} shows ${output.length} characters`);
  }
  before = await shown();
  await page.click("[data-tab=result]");
  await next(before);

  // Two mistakes: two squiggles, where the names are; a fix removes one.
  await type("numeric parameter count % \u{1d4af}\nnumeric f = coun + 1\nnumeric g = count * missing\n");
  await page.waitForFunction(() => document.querySelectorAll(".cm-lintRange-error").length === 2, { timeout: 30_000 }).catch(() => {});
  const marked = await page.evaluate(() => [...document.querySelectorAll(".cm-lintRange-error")].map(own => own.textContent));
  check(JSON.stringify(marked) === JSON.stringify(["coun", "missing"]), `two mistakes give two squiggles: ${marked}`);
  await until(async () => {
    await page.mouse.move(0, 0);
    await page.hover(".cm-lintRange-error");
    return page.waitForSelector(".cm-diagnosticAction", { timeout: 5_000 });
  });
  const action = await page.$(".cm-diagnosticAction");
  if (action) await action.evaluate(own => own.dispatchEvent(new MouseEvent("mousedown", { bubbles: true })));
  if (action) await action.click().catch(() => {});
  await page.waitForFunction(() => document.querySelectorAll(".cm-lintRange-error").length === 1, { timeout: 30_000 }).catch(() => {});
  check((await text()).includes("count + 1"), "a fix corrects the name");

  // A shared link opens the same text, and its sliders.
  before = await shown();
  const own = "% \u{1d4af}: shared\nnumeric parameter n : integer >= 1\nnumeric f = sum (i = 1, n) i\n";
  await type(own);
  await next(before);
  await frame().evaluate(() => {
    const slider = document.getElementById("slider-n");
    slider.value = "3";
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const place = await frame().evaluate(() => document.getElementById("at-n").textContent);
  await until(async () => {
    await page.click("#share");
    return /^#m=.*&at=n:/.test(new URL(page.url()).hash);
  });
  const link = page.url();
  const other = await browser.newPage();
  other.on("pageerror", error => errors.push(String(error)));
  await other.goto(link);
  await other.waitForFunction(() => document.body.dataset.shown, { timeout: 60_000 });
  const opened = await other.evaluate(() => [...document.querySelectorAll(".cm-line")].map(line => line.textContent).join("\n"));
  let at;
  await until(async () => {
    const inner = other.frames().find(one => one.parentFrame() === other.mainFrame());
    at = await inner.evaluate(() => document.getElementById("at-n").textContent);
    return at === place;
  });
  check(opened === own && at === place, `a link of ${link.length} characters opens the same text, with n = ${at}`);
  await other.goto(`${address}#m=AAAA`);
  await other.reload();
  await other.waitForFunction(() => document.body.dataset.shown, { timeout: 60_000 }).catch(() => {});
  check(await other.evaluate(() => Boolean(document.querySelector(".cm-content"))), "a damaged link leaves an editor");
  await other.close();

  // What a text contains is never run, in the page or in the frame.
  before = await shown();
  await type("% <script>parent.broken = 1; fetch('/broken')</script><img src=x onerror=fetch('/broken')>\nnumeric parameter x % <img src=x onerror=alert(1)>\nnumeric f = x + 1\n");
  await next(before);
  const reached = await frame().evaluate(() => fetch("/").then(() => true, () => false));
  const broken = await page.evaluate(() => "broken" in window);
  check(!reached && !broken, "a frame reaches neither the page nor the network");
  errors.splice(0, errors.length, ...errors.filter(own => !/Content Security Policy|ERR_BLOCKED_BY_CSP|csp|Failed to fetch/i.test(own)));

  // Many edits leave one result.
  before = await shown();
  for (let k = 0; k < 100; k++) await page.keyboard.type(k % 2 ? " " : "%");
  await next(before);
  check(await until(async () => page.frames().length === 2), "100 edits leave one result");

  // Offline: the page that was opened once opens again.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.shown, { timeout: 60_000 });
  await new Promise(resolve => setTimeout(resolve, 500));
  await page.setOfflineMode(true);
  const closed = new Promise(resolve => server.close(resolve));
  server.closeAllConnections();
  await closed;
  await page.reload();
  await page.waitForFunction(() => document.body.dataset.shown, { timeout: 60_000 }).catch(() => {});
  check(Boolean(await shown()), "the page opens without a network");
  await page.setOfflineMode(false);
  await new Promise(resolve => server.listen(Number(new URL(address).port), "127.0.0.1", resolve));

  // A search that takes long is ended, and the next text is answered.
  await page.goto(`${address}?seconds=2`);
  await page.waitForSelector(".cm-content");
  const long = Array.from({ length: 60 }, (_, k) => `numeric parameter p${k} : integer >= 1\nnumeric f${k} = sum (i = 1, p${k}) { sum (j = i, p${k}) { max(i * j, p${k} - j) / (i + j) } }`).join("\n");
  await page.waitForFunction(() => document.body.dataset.shown || !document.getElementById("message").hidden, { timeout: 60_000 });
  await type(long);
  await page.waitForFunction(() => /Stopped after/.test(document.getElementById("message").textContent), { timeout: 60_000 }).catch(() => {});
  check(await page.evaluate(() => /Stopped after/.test(document.getElementById("message").textContent)), "a search without end is ended");
  await page.goto(`${address}?seconds=60`);
  await page.waitForSelector(".cm-content");
  await type("numeric parameter x\nnumeric f = x + 1\n");
  await page.waitForFunction(() => document.body.dataset.shown, { timeout: 60_000 });
  check(true, "the next text is answered");

  // Narrow and dark.
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await page.setViewport({ width: 380, height: 800 });
  await new Promise(resolve => setTimeout(resolve, 500));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  check(wide <= 380 && dark === "rgb(20, 23, 26)", `380 pixels are wide enough, and the page is dark: ${wide}, ${dark}`);
  if (process.env.PAMELA_SCREENSHOTS) await page.screenshot({ path: join(process.env.PAMELA_SCREENSHOTS, "narrow.png"), fullPage: true });
  check(errors.length === 0, `no errors in the console${errors.slice(0, 10).map(own => `\n  ${own}`).join("")}`);
} catch (error) {
  check(false, error.stack);
  if (process.env.PAMELA_SCREENSHOTS) await page.screenshot({ path: join(process.env.PAMELA_SCREENSHOTS, "failed.png") });
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
