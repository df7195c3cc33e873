// The playground: an editor, and what the compiler finds of its text.
import { EditorState, Compartment } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, highlightActiveLine, drawSelection } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { classHighlighter } from "@lezer/highlight";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { Engine, Forgotten } from "./engine.js";
import { Frame } from "./frame.js";
import { language } from "./language.js";
import { diagnostics } from "./diagnostics.js";
import { fragment, shared } from "./share.js";

// Only scripts with this number run, here and in the frame.
const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");
const policy = document.createElement("meta");
policy.httpEquiv = "Content-Security-Policy";
policy.content = `script-src 'self' 'wasm-unsafe-eval' 'nonce-${nonce}'`;
document.head.append(policy);

const element = id => document.getElementById(id);
const seconds = Math.min(600, Number(new URLSearchParams(location.search).get("seconds")) || 20);
const engine = new Engine(WORKER, MODULE, seconds);
const REST = 150;

let gallery = { models: [], files: {} };
let name = "", tab = "result", timer = null, wanted = 0, effort = "normal";
let answers = {};

const remember = text => { try { localStorage.setItem("pamela-model", JSON.stringify({ text, name })); } catch { /* a private window */ } };
const remembered = () => { try { return JSON.parse(localStorage.getItem("pamela-model")); } catch { return null; } };

const frame = new Frame(element("result"), nonce, () => {});
const colours = new Compartment();
const view = new EditorView({
  parent: element("editor"),
  state: EditorState.create({
    extensions: [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(), autocompletion(), lintGutter(),
      indentUnit.of("    "), syntaxHighlighting(classHighlighter), colours.of([]),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Model" }),
      EditorView.updateListener.of(update => update.docChanged && changed()),
      EditorView.theme({
        "&": { color: "var(--text)", backgroundColor: "var(--back)" },
        ".cm-content": { caretColor: "var(--text)" },
        ".cm-cursor": { borderLeftColor: "var(--text)" },
        ".cm-gutters": { backgroundColor: "var(--shade)", color: "var(--faint)", borderRight: "1px solid var(--line)" },
        ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--shade) 60%, transparent)" },
        "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--mark) !important" },
        ".cm-tooltip": { backgroundColor: "var(--shade)", color: "var(--text)", border: "1px solid var(--line)" },
        ".cm-panels": { backgroundColor: "var(--shade)", color: "var(--text)" },
      }),
    ],
  }),
});

const text = () => view.state.doc.toString();
const request = (what, more = {}) => ({ do: what, text: text(), name: name ? `${name}.pam` : "model.pam", files: gallery.files, effort, ...more });
const status = said => { element("status").textContent = said; };

function show(other, at) {
  frame.at = { ...at };
  frame.scroll = 0;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: other } });
}

function changed() {
  wanted += 1;
  // Others see whether what is shown is that of the text.
  document.body.dataset.wanted = wanted;
  effort = "normal";
  remember(text());
  engine.forget();
  clearTimeout(timer);
  timer = setTimeout(run, REST);
}

function tell(said, action) {
  const place = element("message");
  place.hidden = !said;
  place.textContent = said || "";
  if (action) {
    const button = document.createElement("button");
    button.textContent = action.title;
    button.addEventListener("click", action.run);
    place.append("\n", button);
  }
}

const stale = is => { for (const id of ["result", "output"]) element(id).classList.toggle("stale", is); };

// What the requests of this text give, each asked once.
function answer(what, more) {
  const key = what + JSON.stringify(more || {});
  answers[key] ||= engine.ask(request(what, more));
  return answers[key];
}

async function run() {
  const number = wanted;
  answers = {};
  status("…");
  try {
    const checked = await answer("check");
    if (number !== wanted) return;
    const found = checked.ok || checked.diagnostics || [];
    view.dispatch(setDiagnostics(view.state, diagnostics(text(), found, request("check").name)));
    if (checked.error || found.some(own => own.severity === "error")) {
      const errors = found.filter(own => own.severity === "error");
      stale(true);
      tell(checked.error || errors.map(own => `error: ${own.message}` + (own.place ? ` (line ${own.place.line})` : "") +
        (own.hint ? `\n  ${own.hint}` : "")).join("\n"));
      return status(checked.error ? "" : `${errors.length} error${errors.length === 1 ? "" : "s"}`);
    }
    await refresh();
  } catch (error) {
    if (number === wanted) failed(error);
  }
}

function failed(error) {
  if (error instanceof Forgotten) return;
  stale(true);
  status("");
  const retry = effort === "normal" ? { title: "Try with less effort", run: () => { effort = "low"; run(); } } : null;
  tell(`${error.message}\nThe model stays. Smaller models take less time; less effort leaves more of a model open.`, retry);
}

const views = {
  async result() {
    const page = await answer("page");
    return { error: page.error, show: () => frame.show(page.ok) };
  },
  async derivation() {
    const forms = await answer("forms", { explain: true });
    return { error: forms.error, text: forms.ok, file: "pam" };
  },
  async latex() {
    const code = await answer("code");
    return { error: code.error, text: code.ok && code.ok[0].text, file: "tex" };
  },
  async code() {
    const code = await answer("code");
    if (code.error) return code;
    const own = code.ok.find(one => one.name === element("language").value) || code.ok[1];
    const refused = own.refused.map(([equation, reason]) => (equation ? `\`${equation}\` is left out: it ` : "") + reason);
    return { text: own.text || refused.join("\n"), file: own.name };
  },
};

let file = "txt";

// Shows the tab that is chosen.
async function refresh() {
  const number = wanted, own = tab, began = performance.now();
  try {
    const found = await views[own]();
    if (number !== wanted || own !== tab) return;
    stale(Boolean(found.error));
    tell(found.error || "");
    if (found.error) return status("");
    element("result").hidden = own !== "result";
    element("text").hidden = own === "result";
    element("language").hidden = own !== "code";
    if (found.show) await found.show();
    else element("output").textContent = found.text;
    file = found.file;
    status(`${Math.round(performance.now() - began)} ms`);
    document.body.dataset.shown = `${number}-${own}`;
  } catch (error) {
    if (number === wanted) failed(error);
  }
}

function choose(other) {
  tab = other;
  for (const button of document.querySelectorAll("[role=tab]")) {
    button.setAttribute("aria-selected", String(button.dataset.tab === tab));
    button.tabIndex = button.dataset.tab === tab ? 0 : -1;
  }
  element("panel").setAttribute("aria-labelledby", `tab-${tab}`);
}

function save(content, ending) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
  link.download = `${(name || "model").split("/").pop()}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const tabs = [...document.querySelectorAll("[role=tab]")];
for (const button of tabs) {
  button.addEventListener("click", () => { choose(button.dataset.tab); refresh(); });
  button.addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(button) + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  });
}
element("gallery").addEventListener("change", event => {
  const model = gallery.models.find(own => own.name === event.target.value);
  if (!model) return;
  name = model.name;
  window.history.replaceState(null, "", location.pathname + location.search);
  show(model.text, {});
});
element("format").addEventListener("click", async () => {
  const own = text(), laid = await engine.ask(request("format")).catch(() => null);
  if (laid && laid.ok !== undefined && text() === own && laid.ok !== own) view.dispatch({ changes: { from: 0, to: own.length, insert: laid.ok } });
});
element("share").addEventListener("click", async () => {
  window.history.replaceState(null, "", await fragment({ text: text(), name, at: frame.at }));
  try {
    await navigator.clipboard.writeText(location.href);
    status("The link is copied.");
  } catch {
    status("The link is in the address bar.");
  }
});
element("download").addEventListener("click", () => save(text(), "pam"));
element("copy").addEventListener("click", () => navigator.clipboard.writeText(element("output").textContent).then(() => status("Copied."), () => status("The browser does not allow copying.")));
element("save").addEventListener("click", () => save(element("output").textContent, file === "latex" ? "tex" : file));
element("language").addEventListener("change", refresh);

async function open() {
  const link = await shared(location.hash);
  if (link && link.error) tell(link.error);
  const kept = link && !link.error ? link : remembered();
  const first = kept && typeof kept.text === "string" ? kept : gallery.models[0];
  name = gallery.models.some(own => own.name === first.name) ? first.name : "";
  const own = gallery.models.find(model => model.name === name);
  element("gallery").value = own && own.text === first.text ? name : "";
  show(first.text, first.at || {});
}

addEventListener("hashchange", open);

async function begin() {
  choose("result");
  gallery = await (await fetch(GALLERY)).json();
  const groups = new Map();
  for (const model of gallery.models) {
    if (!groups.has(model.group)) {
      const group = document.createElement("optgroup");
      group.label = model.group;
      groups.set(model.group, group);
      element("gallery").append(group);
    }
    groups.get(model.group).append(new Option(model.title, model.name));
  }
  for (const { name, about } of gallery.languages) element("language").append(new Option(about, name));
  view.dispatch({ effects: colours.reconfigure(language(gallery.words)) });
  await open();
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
}

begin().catch(error => tell(`The playground cannot start: ${error.message}`));
