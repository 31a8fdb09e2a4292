// The page of the service. All names are set as text, never as markup.
"use strict";

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const inks = 10; // --c0 to --c9
const forms = ["circle", "square", "triangle", "diamond", "cross"];
let classes = []; // names, in the order of the service
let current = ""; // the node that is shown

/** element makes an element with attributes and children (text or elements). */
function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}

function svg(tag, attributes, ...children) {
  const e = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

/** ask sends a question and returns the answer, or throws what is to be said. */
async function ask(path, options = {}) {
  const headers = { ...options.headers };
  const token = sessionStorage.getItem("token");
  if (token) headers.Authorization = "Bearer " + token;
  let answer;
  try {
    answer = await fetch(path, { ...options, headers });
  } catch {
    throw new Error("The service does not answer. Is it still running?");
  }
  if (answer.status === 401) {
    $("token-form").hidden = false;
    $("token").focus();
  }
  if (options.text && answer.ok) return answer.text();
  const body = await answer.json().catch(() => ({ error: "answer " + answer.status }));
  if (!answer.ok) throw new Error(body.error);
  return body;
}

/** during runs a task with the buttons off, and shows its error. */
async function during(task) {
  const buttons = [...document.querySelectorAll("button")];
  const message = $("message");
  message.hidden = true;
  for (const b of buttons) b.disabled = true;
  try {
    await task();
  } catch (error) {
    message.textContent = error.message;
    message.hidden = false;
  } finally {
    for (const b of buttons) b.disabled = false;
  }
}

const query = (values) => new URLSearchParams(values).toString();
const percent = (share) => (100 * share).toFixed(share > 0 && share < 0.01 ? 2 : 1) + " %";
const number = (n) => n.toLocaleString("en-US");
const short = (name, most) => ([...name].length > most ? [...name].slice(0, most - 1).join("") + "…" : name);

/** hidden are characters that nobody sees, or that change how others look (as package visible has them). */
const hidden = /(?! )[\p{C}\p{Z}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffd\u{e0100}-\u{e01ef}]/gu;

/** shown is a name as people see it: quoted, with escapes, where a character of it is hidden. */
function shown(name) {
  if (name.search(hidden) < 0) return name;
  const escape = (c) => (c.length > 1 ? "\\U" + c.codePointAt(0).toString(16).padStart(8, "0") : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  return '"' + name.replace(/["\\]/g, "\\$&").replace(hidden, escape) + '"';
}

/** mark draws the form of a class around a point. */
function mark(label, x, y, r) {
  const k = classes.indexOf(label);
  const attributes = { class: "mark " + (k < 0 ? "none" : "c" + (k % inks)) };
  const form = k < 0 ? "circle" : forms[(k + Math.floor(k / inks)) % 5];
  if (form === "circle") return svg("circle", { ...attributes, cx: x, cy: y, r });
  const corners = {
    square: [[-0.86, -0.86], [0.86, -0.86], [0.86, 0.86], [-0.86, 0.86]],
    triangle: [[0, -1.2], [1.1, 0.75], [-1.1, 0.75]],
    diamond: [[0, -1.25], [1.1, 0], [0, 1.25], [-1.1, 0]],
    cross: [[-0.42, -1.1], [0.42, -1.1], [0.42, -0.42], [1.1, -0.42], [1.1, 0.42], [0.42, 0.42], [0.42, 1.1], [-0.42, 1.1], [-0.42, 0.42], [-1.1, 0.42], [-1.1, -0.42], [-0.42, -0.42]],
  }[form];
  return svg("polygon", { ...attributes, points: corners.map(([u, v]) => x + r * u + "," + (y + r * v)).join(" ") });
}

const swatch = (label) => svg("svg", { class: "swatch", viewBox: "0 0 12 12", "aria-hidden": "true" }, mark(label, 6, 6, 4.6));

/** classed is the name of a class with its mark. */
const classed = (label) => (label === "" ? element("span", {}, "no label") : element("span", {}, swatch(label), " ", element("bdi", {}, shown(label))));

/** option offers a name for an input. */
const option = (name) => element("option", name === shown(name) ? { value: name } : { value: name, label: shown(name) });

/** link is a node's name that leads to it. */
const link = (node) => element("button", { type: "button", class: "link", onclick: () => go(node) }, element("bdi", {}, shown(node)));

async function refresh() {
  const s = await ask("v1/status");
  classes = s.classes.map((c) => c.label);
  $("status").textContent = `${number(s.nodes)} nodes, ${number(s.learned_edges)} learned edges, ${number(s.known_labels)} known labels in ${s.classes.length} classes` + (s.given_labels ? `; ${s.given_labels} given here` : "");
  $("classes").replaceChildren(...s.classes.map((c) => option(c.label)));
}

function go(node) {
  $("node").value = node;
  during(() => show(node));
}

async function show(node) {
  const [why, around] = await Promise.all([
    ask("v1/explain?" + query({ node, top: 8 })),
    ask("v1/neighbors?" + query({ node, top: 14 })),
  ]);
  current = why.node;
  history.replaceState(null, "", "#" + encodeURIComponent(current));
  $("main").hidden = false;
  $("name").replaceChildren("Node ", element("bdi", {}, shown(why.node)));
  const said = {
    seed: ["Known to be ", classed(why.label), "."],
    predicted: ["Labelled ", classed(why.label), `, with ${percent(why.confidence)} of the score.`],
    uncertain: ["A tie: ", classed(why.label), ` has ${percent(why.confidence)} of the score, and another class as much.`],
    unreached: ["No label: no known label reaches it."],
  }[why.status];
  $("said").replaceChildren(...said);
  $("scores").replaceChildren(...(why.scores || []).slice(0, 5).map((s) => {
    const bar = svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "track", width: 100, height: 8 }),
      svg("rect", { class: "c" + (classes.indexOf(s.label) % inks), width: 100 * s.share, height: 8 }));
    return element("div", { class: "score" }, classed(s.label), bar, element("span", { class: "n" }, percent(s.share)));
  }));
  $("label").value = "";
  $("label").placeholder = shown(why.label) || "class";
  $("unset").hidden = why.status !== "seed";
  draw(around);
  explain(why);
}

/** explain fills in why a node has its label. */
function explain(why) {
  if (why.contributions.length === 0) {
    $("why-said").textContent = "No known label reaches this node, so there is nothing to say.";
    $("parts").replaceChildren();
    $("flip").textContent = "";
    return;
  }
  $("why-said").textContent = why.status === "seed" ?
    "What was said of a node stands. By diffusion alone, its score would come from:" :
    `The score is a sum over ${number(why.seeds)} known labels. The largest parts:`;
  const head = element("tr", {}, ...["label", "known for", "part of the score", "strongest path from here"].map((t, k) => element("th", k === 2 ? { class: "n" } : {}, t)));
  const rows = why.contributions.map((p) => element("tr", {},
    element("td", {}, classed(p.label)), element("td", {}, link(p.seed)), element("td", { class: "n" }, percent(p.share)),
    element("td", { class: "path" }, ...p.path.flatMap((name, k) => (k ? [" – ", link(name)] : [link(name)])))));
  if (why.seeds > why.contributions.length) {
    rows.push(element("tr", {}, element("td", {}, `${number(why.seeds - why.contributions.length)} more`), element("td"), element("td", { class: "n" }, percent(why.rest)), element("td")));
  }
  $("parts").replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  let flip = "";
  if (why.status !== "seed" && why.flip_count === 1) flip = `Without the known label of ${shown(why.flip[0])} it would be ${shown(why.flip_to)}.`;
  else if (why.status !== "seed" && why.flip_count > 1) flip = `It takes ${number(why.flip_count)} known labels fewer, at least, for another class to win.`;
  $("flip").textContent = flip;
}

/** draw shows a node in the middle of its neighbours, the heaviest nearest. */
function draw({ node, neighbors, links }) {
  const size = 440, middle = size / 2, near = 95, far = 185;
  const picture = svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "group", "aria-label": `The neighbours of ${shown(node.node)}` });
  const most = Math.max(...neighbors.map((n) => n.weight), 1e-30), least = Math.min(...neighbors.map((n) => n.weight), most);
  const at = new Map([[node.node, { x: middle, y: middle }]]);
  // Neighbours of one class stand together.
  [...neighbors].sort((a, b) => classes.indexOf(a.label) - classes.indexOf(b.label)).forEach((n, k) => {
    const angle = (2 * Math.PI * (k + 0.5)) / neighbors.length - Math.PI / 2;
    const share = most > least ? Math.log(most / n.weight) / Math.log(most / least) : 0;
    const r = near + (far - near) * share;
    at.set(n.node, { x: middle + r * Math.cos(angle), y: middle + r * Math.sin(angle) });
  });
  const line = (a, b, attributes) => svg("line", { x1: at.get(a).x, y1: at.get(a).y, x2: at.get(b).x, y2: at.get(b).y, ...attributes });
  for (const l of links) picture.append(line(l.a, l.b, { class: "between", "stroke-width": 1 }));
  for (const n of neighbors) {
    const attributes = { class: "edge", "stroke-width": (1 + 3 * n.weight / most).toFixed(2) };
    if (n.original_weight === 0) attributes["stroke-dasharray"] = "5 4";
    picture.append(line(node.node, n.node, attributes));
  }
  for (const n of [...neighbors, node]) {
    const { x, y } = at.get(n.node);
    const r = n === node ? 11 : 8;
    const group = svg("g", { class: "node", tabindex: 0, role: "button", "aria-label": `${shown(n.node)}: ${shown(n.label) || "no label"}, ${n.status}` });
    group.append(svg("title", {}, `${shown(n.node)}: ${shown(n.label) || "no label"}, ${n.status}` + (n.weight ? `, weight ${n.weight.toPrecision(3)}` : "")));
    if (n.status === "seed") group.append(svg("circle", { class: "ring", cx: x, cy: y, r: r + 4 }));
    group.append(mark(n.label, x, y, r), svg("text", { x, y: y + r + 15, "text-anchor": "middle" }, short(shown(n.node), 12)));
    const open = () => go(n.node);
    group.addEventListener("click", open);
    group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(); } });
    picture.append(group);
  }
  $("drawing").replaceChildren(neighbors.length ? picture : element("p", {}, "It has no neighbours."));
}

/** give sets a label, or takes it away with "", and shows what changes. */
async function give(label) {
  const change = await ask("v1/labels", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ labels: [{ node: current, label }] }),
  });
  await refresh();
  const others = change.nodes.filter((n) => n.node !== current);
  $("changes").hidden = false;
  $("changes-said").replaceChildren(
    label === "" ? "The known label of " : "With ", link(current), label === "" ? " is taken away: " : " known, ",
    change.changed === 1 ? "1 node has" : `${number(change.changed)} nodes have`, ` another label (${change.iterations} products).`,
    change.changed > change.nodes.length ? ` The first ${change.nodes.length}:` : "");
  const head = element("tr", {}, ...["node", "before", "now"].map((t) => element("th", {}, t)));
  const rows = [...change.nodes.filter((n) => n.node === current), ...others].map((n) =>
    element("tr", {}, element("td", {}, link(n.node)), element("td", {}, classed(n.before)), element("td", {}, classed(n.after))));
  $("changes-table").replaceChildren(...(rows.length ? [element("thead", {}, head), element("tbody", {}, ...rows)] : []));
  $("suggestions").hidden = true;
  await show(current);
}

async function suggest() {
  const { nodes } = await ask("v1/suggest?count=5");
  $("suggestions").hidden = false;
  $("suggestion-list").replaceChildren(...nodes.map((n) => element("li", {}, link(n.node), " – ", classed(n.label),
    element("span", { class: "soft" }, ` uncertainty ${n.uncertainty.toFixed(2)}, coverage ${n.coverage.toFixed(2)}`))));
  if (nodes.length === 0) $("suggestion-list").replaceChildren(element("li", {}, "All nodes have known labels."));
}

async function download() {
  const text = await ask("v1/labels", { text: true });
  const address = URL.createObjectURL(new Blob([text], { type: "text/tab-separated-values" }));
  element("a", { href: address, download: text.startsWith("\"") ? "labels.csv" : "labels.tsv" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** complete offers the names that begin like what was typed. */
let typing;
function complete() {
  clearTimeout(typing);
  const prefix = $("node").value;
  typing = setTimeout(async () => {
    try {
      const { nodes } = await ask("v1/nodes?" + query({ prefix, count: 12 }));
      $("names").replaceChildren(...nodes.map((name) => option(name)));
    } catch { /* the next question says what is wrong */ }
  }, 150);
}

async function start() {
  await refresh();
  $("token-form").hidden = true;
  const node = decodeURIComponent(location.hash.slice(1));
  if (node) {
    $("node").value = node;
    await show(node);
  } else await suggest();
}

$("search").addEventListener("submit", (e) => { e.preventDefault(); during(() => show($("node").value)); });
$("correct").addEventListener("submit", (e) => { e.preventDefault(); during(() => give($("label").value)); });
$("token-form").addEventListener("submit", (e) => { e.preventDefault(); sessionStorage.setItem("token", $("token").value); during(start); });
$("unset").addEventListener("click", () => during(() => give("")));
$("suggest").addEventListener("click", () => during(suggest));
$("download").addEventListener("click", () => during(download));
$("node").addEventListener("input", complete);
during(start);
