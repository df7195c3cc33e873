const page = JSON.parse(document.getElementById("page-data").textContent);
const element = id => document.getElementById(id);
const start = page.parameters.map((p, k) => p.values[page.start[k]]);
let at = start.slice();
let axis = page.axis;

// The place of a point in the values that were computed beforehand, or -1.
function placeOf(point) {
  const others = point.every((x, k) => k === page.axis || x === start[k]);
  if (!others || page.parameters.length === 0) return others ? page.places.findIndex(() => true) : -1;
  const values = page.parameters[page.axis].values;
  return page.places.findIndex(place => values[place] === point[page.axis]);
}

// The value of a function and whether its conditions hold.
function call(pair, places, point) {
  if (!pair || !places) return null;
  const own = places.map(k => point[k]);
  return { value: pair[0](...own), holds: Boolean(pair[1](...own)) };
}

// Whether `eval` takes the point, as far as the page can tell.
function allowed(point) {
  return !page.facts || Boolean(functions.facts(...page.facts.arguments.map(k => point[k])));
}

function finite(value) {
  return Array.isArray(value) ? value.every(Number.isFinite) : Number.isFinite(value);
}

// What an equation is at a point: its value, how it was got (closed, definition, law, fails, refused, absent), of laws more.
function valueOf(k, point) {
  if (!allowed(point)) return { how: "refused", value: null };
  const equation = page.equations[k], table = equation.table, place = table ? placeOf(point) : -1;
  const known = place >= 0 && table.values[place] !== null && table.flags[place] !== "failed";
  if (equation.law) {
    if (known) {
      return { how: "law", value: table.values[place], deviation: table.deviations[place], skewness: table.skewnesses[place],
        kurtosis: table.kurtoses[place], quantiles: table.quantiles.map(q => q[place]), method: table.methods[place],
        defined: table.flags[place] === "definition" };
    }
    const moments = equation.moments.map((places, m) => call(functions[k][m], places, point));
    const of = moments.map(m => m && m.holds && finite(m.value) ? m.value : null);
    if (of[0] === null) return { how: moments[0] && !moments[0].holds ? "fails" : "absent", value: null };
    return { how: "law", value: of[0], deviation: of[1] === null ? null : Math.sqrt(of[1]), skewness: of[2], kurtosis: of[3],
      quantiles: null, method: "moments" };
  }
  if (known && table.flags[place] === "definition") return { how: "definition", value: table.values[place] };
  const own = call(functions[k], equation.arguments, point);
  // A fact fails that the page has no function of.
  if (own && place >= 0 && table.flags[place] === "failed") return { how: "refused", value: null };
  if (own && own.holds && finite(own.value)) return { how: "closed", value: own.value };
  if (own) return { how: own.holds ? "none" : "fails", value: finite(own.value) ? own.value : null };
  return known ? { how: "closed", value: table.values[place] } : { how: "absent", value: null };
}

function shown(x, digits = 7) {
  if (x === null || x === undefined || Number.isNaN(x)) return "";
  if (Array.isArray(x)) return "[" + x.map(y => shown(y, digits)).join(", ") + "]";
  return String(Number.isInteger(x) && Math.abs(x) < 1e15 ? x : Number(x.toPrecision(digits)));
}

function sentence(equation, result) {
  const standing = equation.standing;
  const first = text => (standing ? standing + "; " : "") + text;
  switch (result.how) {
    case "closed": return (standing || "closed form") + "; " + (page.facts && page.facts.complete ? "conditions hold" :
      "its conditions hold; not all facts of the parameters are checked");
    case "definition": return first("by the model's definition, since no closed form applies here");
    case "none": return "no value here";
    case "refused": return "no value here: a fact of the parameters does not hold";
    case "fails": return "does not hold here: a condition fails, and the model's value may differ";
    case "absent": return "not computed here" + (equation.law ? "" : equation.refusal ? ": it " + equation.refusal : "");
  }
  if (result.method === "moments") return first("closed form of its moments; quantiles are not computed here");
  if (result.defined) return first("by the model's definition");
  if (!standing) return result.method === "exact" ? "exact; conditions hold" : "by " + result.method + "; conditions hold";
  return standing + (result.method === "exact" ? "" : "; by " + result.method) + "; conditions hold";
}

function showValues() {
  let outside = 0;
  page.equations.forEach((equation, k) => {
    const result = valueOf(k, at), cell = element("value-" + equation.name), told = element("holds-" + equation.name);
    const fails = result.how === "fails" || result.how === "refused";
    outside += fails ? 1 : 0;
    cell.textContent = result.value === null ? "no value" : shown(result.value, equation.law ? 5 : 7) + (equation.unit ? " " + equation.unit : "");
    cell.title = result.value === null ? "" : String(result.value);
    cell.dataset.value = result.value === null ? "NaN" : [result.value].flat().join(" ");
    cell.classList.toggle("fails", fails && result.value !== null);
    told.textContent = sentence(equation, result);
    told.className = fails || result.how === "none" ? "no" : "";
    if (equation.law) {
      const row = element("law-" + equation.name), quantiles = result.quantiles || [];
      for (const one of row.querySelectorAll("[data-cell]")) {
        const [name, which] = one.dataset.cell.split("-");
        const value = which === undefined ? result[name] : quantiles[which];
        one.textContent = shown(value, 5);
      }
    }
  });
  element("outside").textContent = outside === 0 ? "" : "At these slider positions, conditions of " +
    (outside === 1 ? "a value" : outside + " values") + " fail: marked values are not the model's values.";
  if (!allowed(at)) element("outside").textContent = "No values at these slider positions: a fact of the parameters does not hold.";
  const place = placeOf(at), note = place >= 0 ? page.notes[place] : "";
  element("here").textContent = note ? "Here: " + note : "";
  if (page.command) {
    const values = page.parameters.map((p, k) => p.unit ? ` -D '${p.name}=${at[k]} [${p.unit}]'` : ` -D ${p.name}=${at[k]}`).join("");
    element("command").replaceChildren("Command: ", made("code", { textContent: page.command + values }, false));
  }
}

function made(name, attributes, svg = true, ...children) {
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) key === "textContent" ? node.textContent = value : node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// Round numbers from least to most, about so many.
function ticks(least, most, count) {
  const rough = (most - least) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough * 0.999) || rough, found = [];
  for (let k = Math.ceil(least / step - 1e-9); k * step <= most + step * 1e-9 && found.length < 50; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

function decades(least, most, count) {
  const from = Math.ceil(Math.log10(least) - 1e-9), to = Math.floor(Math.log10(most) + 1e-9), found = [];
  if (to - from < 1) return [least, Math.sqrt(least * most), most].map(x => Number(x.toPrecision(2))).filter(x => x >= least && x <= most);
  const stride = Math.max(1, Math.ceil((to - from + 1) / count));
  for (let k = from; k <= to; k += stride) found.push(Number("1e" + k));
  return found;
}

// A scale of one direction: where values stand, from 0 to 1.
function scale(values, isAxis) {
  let least = Math.min(...values), most = Math.max(...values);
  const sorted = isAxis ? [...new Set(values)].sort((a, b) => a - b) : [];
  const gaps = sorted.slice(1).map((x, k) => x - sorted[k]);
  const wide = isAxis ? gaps.length > 1 && Math.max(...gaps) > 5 * Math.min(...gaps) && most / least > 9 : most / least > 500;
  const log = least > 0 && wide;
  if (!isAxis && !log) {
    const room = (most - least) * 0.05 || Math.abs(most) * 0.1 || 1, low = least, high = most;
    least = low >= 0 && (low < 0.6 * high || low === high) ? 0 : low >= 0 ? Math.max(0, low - room) : low - room;
    most = high <= 0 ? Math.min(0, high + room) : high + room;
  }
  if (least === most) { least -= Math.abs(least) * 0.1 || 1; most += Math.abs(most) * 0.1 || 1; }
  const f = log ? Math.log : x => x;
  return { log, least, most, to: x => (f(x) - f(least)) / (f(most) - f(least)) };
}

const dashes = ["", "7 3", "2 3", "9 3 2 3", "5 5", "1 4"];

// Whether an equation has no function in the page, of its mean where it is a law.
function sampled(k) {
  const equation = page.equations[k];
  return equation.law ? !equation.moments[0] || Boolean(equation.table) : !equation.arguments;
}

// The curves of a panel: of each equation points [x, y, low, high], y null where there is no value.
function curvesOf(panel) {
  const xs = page.parameters.length ? page.parameters[axis].values : [];
  return panel.equations.map(k => xs.flatMap(x => {
    const point = at.slice();
    point[axis] = x;
    // What is only known at some places is drawn at these.
    if (sampled(k) && axis === page.axis && at.every((x, k) => k === axis || x === start[k]) && placeOf(point) < 0) return [];
    const result = valueOf(k, point), known = ["closed", "definition", "law"].includes(result.how) && Number.isFinite(result.value);
    const q = result.quantiles;
    return [[x, known ? result.value : null, known && q ? q[0] : null, known && q ? q[2] : null]];
  }).sort((a, b) => a[0] - b[0]));
}

function draw(panel) {
  const figure = element(panel.id), place = figure.querySelector(".picture"), caption = figure.querySelector("figcaption");
  const names = panel.equations.map(k => page.equations[k]);
  const label = e => e.name + (e.law ? ", mean" : "") + (e.standing ? ` (${e.standing})` : "");
  if (page.parameters.length === 0) { place.replaceChildren(); caption.textContent = "no parameter to draw over"; return; }
  const curves = curvesOf(panel), now = panel.equations.map(k => valueOf(k, at));
  const drawn = curves.flat().filter(p => p[1] !== null);
  const absent = curves.flat().length - drawn.length;
  const over = page.parameters[axis];
  const others = page.parameters.map((p, k) => `${p.name} = ${shown(at[k])}`).filter((_, k) => k !== axis);
  const parts = ["over " + over.name + (others.length ? ", at " + others.join(", ") : "")];
  if (absent > 0) {
    const moved = axis !== page.axis || at.some((x, k) => k !== axis && x !== start[k]);
    parts.push(moved && panel.equations.some(sampled)
      ? "values that the page cannot compute are known over " + page.parameters[page.axis].name + " only, with the other sliders at their start"
      : "gaps: no value, or a condition fails");
  }
  if (names.some(e => e.law) && drawn.some(p => p[2] !== null)) parts.push("bands from the 10 % to the 90 % quantile");
  caption.textContent = parts.join("; ");
  if (drawn.length === 0) { place.replaceChildren(made("p", { class: "note", textContent: "There is no value to draw." }, false)); return; }
  const width = Math.max(280, place.clientWidth || 450), height = Math.round(Math.min(300, width * 0.62));
  const x = scale(over.values.concat(at[axis]), true);
  const y = scale(drawn.flatMap(p => p.slice(1).filter(v => v !== null)), false);
  const across = ticks(x.least, x.most, Math.max(2, Math.floor(width / 90)));
  const whole = over.values.every(Number.isInteger);
  const few = over.values.length <= Math.floor(width / 60);
  const xTicks = few ? over.values.slice() : x.log ? decades(x.least, x.most, Math.floor(width / 70)) : [x.least, ...across.filter(v => v !== x.least && (!whole || Number.isInteger(v)))];
  const yTicks = y.log ? decades(y.least, y.most, 5) : ticks(y.least, y.most, 5);
  const tickText = v => { const text = shown(v, 4); return text.length > 7 ? v.toExponential(1).replace("e+", "e").replace(".0e", "e") : text; };
  const top = y.log ? 22 : 10, left = 12 + 7.2 * Math.max(...yTicks.map(v => tickText(v).length)), right = 14, bottom = 36;
  const px = v => left + (width - left - right) * x.to(v), py = v => height - bottom - (height - top - bottom) * y.to(v);
  const fixed = v => Number(v).toFixed(1);
  const svg = made("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label":
    `${names.map(label).join(", ")} over ${over.name}; now ${now.map((r, k) => `${names[k].name} ${r.value === null ? "no value" : shown(r.value)}`).join(", ")}` });
  for (const v of yTicks) svg.append(made("line", { x1: left, x2: width - right, y1: fixed(py(v)), y2: fixed(py(v)), stroke: "var(--line)" }),
    made("text", { x: left - 6, y: fixed(py(v) + 4), "text-anchor": "end", textContent: tickText(v) }));
  let end = -Infinity;
  for (const v of [...xTicks].sort((a, b) => a - b)) {
    const half = 3.8 * tickText(v).length;
    svg.append(made("line", { x1: fixed(px(v)), x2: fixed(px(v)), y1: height - bottom, y2: height - bottom + 4, stroke: "var(--faint)" }));
    if (px(v) - half < end + 4) continue;
    end = px(v) + half;
    svg.append(made("text", { x: fixed(Math.min(px(v), width - half - 1)), y: height - bottom + 17, "text-anchor": "middle", textContent: tickText(v) }));
  }
  svg.append(made("line", { x1: left, x2: width - right, y1: height - bottom, y2: height - bottom, stroke: "var(--faint)" }),
    made("text", { x: fixed((left + width - right) / 2), y: height - 4, "text-anchor": "middle", textContent: over.label + (x.log ? " (logarithmic)" : "") }),
    made("text", { x: 2, y: 12, textContent: y.log ? "logarithmic" : "" }));
  svg.append(made("line", { class: "now", x1: fixed(px(at[axis])), x2: fixed(px(at[axis])), y1: top, y2: height - bottom, stroke: "var(--faint)", "stroke-dasharray": "3 3" }));
  curves.forEach((curve, k) => {
    const colour = `var(--c${k % 6})`, pieces = [[]];
    for (const p of curve) p[1] === null ? pieces.push([]) : pieces[pieces.length - 1].push(p);
    for (const piece of pieces.filter(piece => piece.length > 0)) {
      const band = piece.filter(p => p[2] !== null);
      if (band.length > 1) svg.append(made("polygon", { fill: colour, "fill-opacity": 0.18, points:
        band.map(p => fixed(px(p[0])) + "," + fixed(py(p[2]))).concat(band.reverse().map(p => fixed(px(p[0])) + "," + fixed(py(p[3])))).join(" ") }));
      svg.append(made("polyline", { fill: "none", stroke: colour, "stroke-width": 2, "stroke-dasharray": dashes[k % 6],
        points: piece.map(p => fixed(px(p[0])) + "," + fixed(py(p[1]))).join(" ") }));
      if (curve.length <= 20 || piece.length === 1) for (const p of piece)
        svg.append(made("circle", { cx: fixed(px(p[0])), cy: fixed(py(p[1])), r: 2.5, fill: colour, "data-x": p[0], "data-y": p[1] }));
    }
    const r = now[k];
    if (["closed", "definition", "law"].includes(r.how) && Number.isFinite(r.value))
      svg.append(made("circle", { class: "now", cx: fixed(px(at[axis])), cy: fixed(py(r.value)), r: 5, fill: "var(--back)", stroke: colour, "stroke-width": 2.5 }));
  });
  const legend = made("div", { class: "legend" }, false);
  if (names.length > 1) names.forEach((e, k) => legend.append(made("span", {}, false,
    made("svg", { viewBox: "0 0 32 10", "aria-hidden": "true" }, true, made("line", { x1: 0, x2: 32, y1: 5, y2: 5, stroke: `var(--c${k % 6})`, "stroke-width": 2.5, "stroke-dasharray": dashes[k % 6] })),
    label(e))));
  place.replaceChildren(svg, legend);
}

function update() {
  page.parameters.forEach((p, k) => {
    const input = element("slider-" + p.name);
    at[k] = p.values[input.value];
    const text = shown(at[k], 15);
    element("at-" + p.name).textContent = text;
    input.setAttribute("aria-valuetext", text);
  });
  showValues();
  page.panels.forEach(draw);
}

const form = element("sliders"), choice = element("axis");
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("input", () => { if (choice.value !== "") axis = Number(choice.value); update(); });
form.addEventListener("reset", () => setTimeout(() => { axis = page.axis; update(); }));
for (const folded of document.querySelectorAll("details")) folded.addEventListener("toggle", () => page.panels.forEach(draw));
let folded = [];
addEventListener("beforeprint", () => { folded = [...document.querySelectorAll("details.part:not([open])")]; folded.forEach(d => d.open = true); });
addEventListener("afterprint", () => folded.forEach(d => d.open = false));
let width = document.documentElement.clientWidth;
addEventListener("resize", () => { if (width !== document.documentElement.clientWidth) { width = document.documentElement.clientWidth; page.panels.forEach(draw); } });
if (choice.options.length < 2) choice.closest("p").querySelectorAll("label, select").forEach(node => node.hidden = true);
update();
// A page that shows this one in a frame places the sliders by name, and is told where they are.
if (parent !== window) addEventListener("message", event => {
  if (event.source !== parent || !event.data || event.data.pamela !== "places") return;
  page.parameters.forEach((p, k) => {
    const value = event.data.at[p.name], distance = x => Math.abs(x - value);
    if (Number.isFinite(value)) element("slider-" + p.name).value = p.values.reduce((best, x, j) => distance(x) < distance(p.values[best]) ? j : best, 0);
  });
  update();
  scrollTo(0, event.data.scroll);
  const tell = () => parent.postMessage({ pamela: "moved", scroll: scrollY, at: Object.fromEntries(page.parameters.map((p, k) => [p.name, at[k]])) }, "*");
  form.addEventListener("input", tell);
  form.addEventListener("reset", () => setTimeout(tell));
  addEventListener("scroll", tell);
}, { once: true });
