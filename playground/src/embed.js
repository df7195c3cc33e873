// Examples of other pages run where they stand. Nothing is loaded before one is run.
import { Engine } from "./engine.js";
import { fragment } from "./share.js";

const here = name => new URL(name, import.meta.url).href;
let engine = null;

const style = document.createElement("style");
style.textContent = `.pamela-example { display: flex; gap: 0.5rem; margin: -0.5rem 0 0.8rem; } .pamela-example > * { font: inherit; font-size: 0.85em; padding: 0.1rem 0.6rem; }
.pamela-answer { white-space: pre-wrap; border-left: 3px solid #0a58ca; } .pamela-answer.wrong { border-color: #b3261e; }`;
document.head.append(style);

for (const block of document.querySelectorAll("pre[data-pamela]")) {
  const code = block.querySelector("code");
  code.contentEditable = "plaintext-only";
  code.spellcheck = false;
  code.setAttribute("aria-label", "Model, which you can edit");
  const made = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const bar = made("div", ""), run = made("button", "Run"), open = made("a", "Open in the playground"), answer = made("pre", "");
  bar.className = "pamela-example";
  run.type = "button";
  open.href = here("./");
  answer.className = "pamela-answer";
  answer.setAttribute("role", "status");
  answer.hidden = true;
  bar.append(run, open);
  block.after(bar, answer);
  run.addEventListener("click", async () => {
    engine ||= new Engine(here(WORKER), here(MODULE), 20);
    answer.hidden = false;
    answer.textContent = "…";
    try {
      const found = await engine.ask({ do: "forms", text: code.textContent });
      answer.textContent = found.ok ?? found.error;
      answer.classList.toggle("wrong", found.ok === undefined);
    } catch (error) {
      answer.textContent = error.message;
      answer.classList.add("wrong");
    }
    answer.dataset.shown = "";
  });
  open.addEventListener("click", async event => {
    event.preventDefault();
    location.href = here("./") + await fragment({ text: code.textContent });
  });
}
