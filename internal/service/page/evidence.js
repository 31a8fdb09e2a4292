// Why a node has its label: labelled nodes that speak for it, its neighbours, and the numbers.

import { $, classed, element, ink, link, mark, nodeHash, number, counted, percent, place, short, shown, state, svg } from "./base.js";
import { predicted, tile } from "./items.js";

const item = (...children) => element("li", {}, ...children);

/** showEvidence fills in all of it. */
export function showEvidence(why, around) {
  speaking(why);
  $("near").replaceChildren(...around.neighbors.map((n) => item(tile(n.node, ...predicted(n)))));
  numbers(why);
  draw(around);
  $("dashed").hidden = !state.status.learned;
}

/** noEvidence empties it, while it is asked for. */
export function noEvidence() {
  for (const id of ["speaking-list", "near", "parts", "drawing"]) $(id).replaceChildren();
  for (const id of ["speaking-said", "flip", "why-said"]) $(id).textContent = "…";
}

function speaking(why) {
  const none = why.contributions.length === 0;
  $("speaking-said").textContent = none ? "No known label reaches this node yet." : `The largest parts of the vote, of ${counted(why.seeds, "labelled node")} that ${why.seeds === 1 ? "reaches" : "reach"} it:`;
  $("speaking-list").replaceChildren(...why.contributions.map((p) => item(tile(p.seed, classed(p.label), " ", element("span", { class: "soft" }, percent(p.share))))));
  let flip = "";
  if (why.status !== "seed" && why.flip_count === 1) flip = `Without the known label of ${shown(why.flip[0])} it would be ${shown(why.flip_to)}.`;
  else if (why.status !== "seed" && why.flip_count > 1) flip = `At least ${number(why.flip_count)} known labels fewer, and another class would win.`;
  if (why.by_graph) flip = `These are the reasons of label spreading alone, which says ${shown(why.graph_label) || "nothing"}; the prediction is by a mixture of methods. ${flip}`;
  $("flip").textContent = flip;
}

function numbers(why) {
  if (why.contributions.length === 0) {
    $("why-said").textContent = "No known label reaches this node, so there is nothing to say.";
    $("parts").replaceChildren();
    return;
  }
  $("why-said").textContent = why.status === "seed" ?
    "What was said of a node stands. By its neighbours alone, its vote would come from:" :
    `The vote${why.by_graph ? " of label spreading" : ""} is a sum over ${counted(why.seeds, "known label")}. The largest parts:`;
  const head = element("tr", {}, ...["label", "known for", "part of the vote", "strongest path from here"].map((t, k) => element("th", k === 2 ? { class: "n" } : {}, t)));
  const rows = why.contributions.map((p) => element("tr", {},
    element("td", {}, classed(p.label)), element("td", {}, link(p.seed)), element("td", { class: "n" }, percent(p.share)),
    element("td", { class: "path" }, ...p.path.flatMap((name, k) => (k ? [" – ", link(name)] : [link(name)])))));
  if (why.seeds > why.contributions.length) {
    rows.push(element("tr", {}, element("td", {}, `${number(why.seeds - why.contributions.length)} more`), element("td"), element("td", { class: "n" }, percent(why.rest)), element("td")));
  }
  $("parts").replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
}

/** draw shows a node in the middle of its neighbours, the heaviest nearest. */
function draw({ node, neighbors, links }) {
  const size = 440, middle = size / 2, near = 95, far = 185;
  const picture = svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "group", "aria-label": `The neighbours of ${shown(node.node)}` });
  const most = Math.max(...neighbors.map((n) => n.weight), 1e-30), least = Math.min(...neighbors.map((n) => n.weight), most);
  const at = new Map([[node.node, { x: middle, y: middle }]]);
  // Neighbours of one class stand together.
  [...neighbors].sort((a, b) => place(a.label) - place(b.label)).forEach((n, k) => {
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
    const said = `${shown(n.node)}: ${shown(n.label) || "no label"}${n.known ? ", known" : ""}`;
    const group = svg("a", { class: "node", href: nodeHash(n.node), "aria-label": said });
    group.append(svg("title", {}, said));
    if (n.known) group.append(svg("circle", { class: "ring", cx: x, cy: y, r: r + 4 }));
    group.append(mark(n.label, x, y, r), svg("text", { x, y: y + r + 15, "text-anchor": "middle" }, short(shown(n.node), 12)));
    picture.append(group);
  }
  $("drawing").replaceChildren(neighbors.length ? picture : element("p", {}, "It has no neighbours."));
}

/** showChanges tells what labels have changed: counts by class first, then the most important nodes. */
export function showChanges(labels, change) {
  $("changes").hidden = false;
  const gone = labels.every((l) => l.label === "");
  const what = labels.length > 1 ? (gone ? "Without the known labels" : "With labels") + ` of ${number(labels.length)} nodes` : labels[0].label === "" ? ["Without the known label of ", link(labels[0].node)] : ["With ", link(labels[0].node), " known to be ", classed(labels[0].label)];
  $("changes-said").replaceChildren(...[what].flat(), change.changed === 0 ? ", no node has another label." : `, ${counted(change.changed, "node has", "nodes have")} another label.`);
  // A class that got a label can lose nodes, and people wonder why.
  const given = new Set(labels.map((l) => l.label));
  const left = change.moves.filter((m) => given.has(m.before) && m.after !== "").reduce((sum, m) => sum + m.nodes, 0);
  if (left > 0 && !gone) $("changes-said").append(` ${counted(left, "node leaves", "nodes leave")} a class that got a label: all classes have the same say, so that one more label of a class leaves less to each of its others.`);
  const rows = change.moves.slice(0, 30).map((m) => element("tr", {}, element("td", {}, classed(m.before)), element("td", {}, classed(m.after)), element("td", { class: "n" }, number(m.nodes))));
  $("moves").replaceChildren(...(rows.length ? [element("thead", {}, element("tr", {}, element("th", {}, "before"), element("th", {}, "now"), element("th", { class: "n" }, "nodes"))), element("tbody", {}, ...rows)] : []));
  $("changes-list").replaceChildren(...change.nodes.slice(0, 12).map((n) => item(tile(n.node, classed(n.before), " → ", classed(n.after)))));
}

/** shareBar is a bar of a class's part of the vote. */
export function shareBar(label, share) {
  return svg("svg", { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "track", width: 100, height: 6 }), svg("rect", { class: ink(label), width: 100 * share, height: 6 }));
}
