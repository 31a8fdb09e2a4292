// The page of the service: a node, its label by a key, and the next one. Labels are sent in the order
// in which they were given, while the page goes on.

import { $, Fault, ask, classed, counted, during, element, ink, link, nodeHash, number, option, percent, query, shown, state, swatch, tell } from "./base.js";
import { predicted, prefetch, showItem, tile } from "./items.js";
import { noEvidence, shareBar, showChanges, showEvidence } from "./evidence.js";
import { openMap, refreshMap } from "./map.js";

const remembered = (name) => JSON.parse(sessionStorage.getItem(name) || "[]");
const skipped = new Set(remembered("skipped"));
const history = remembered("history"); // steps that can be undone, the last one last
let current = null; // what the service said of the node that is shown
let queue = []; // nodes to label next
let facts = new Map(); // what was said of them
let unsaved = []; // steps that the service has not confirmed
let sending = false;
let ended = true; // the queue has nothing more
const done = new Set(); // nodes that were labelled on this page: an answer may be from before
const json = (body) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

// Status

async function refresh() {
  const s = await ask("v1/status");
  state.status = s;
  state.places = new Map(s.classes.map((c) => [c.label, c.place]));
  $("status").textContent = `${counted(s.nodes, "node")}, ${number(labelled(s))} labelled in ${counted(s.classes.length, "class", "classes")}` + (s.given_labels ? `; ${number(s.given_labels)} given or changed here` : "") +
    (s.mixture ? `; predictions by a mixture of methods${s.behind ? ", which the newest labels are not in yet" : ""}` : "");
  $("class-names").replaceChildren(...s.classes.map((c) => option(c.label)));
  for (const id of ["bulk-class", "map-class"]) {
    const chosen = $(id).value;
    $(id).replaceChildren(element("option", { value: "" }, "all"), ...s.classes.map((c) => element("option", { value: c.label }, shown(c.label))));
    if (state.places.has(chosen)) $(id).value = chosen;
  }
  saved();
}

const labelled = (s) => s.classes.reduce((sum, c) => sum + c.known_labels, 0);

/** saved says whether all labels are in the file. */
function saved() {
  const waiting = unsaved.reduce((sum, step) => sum + step.labels.length, 0);
  const file = state.status.saved_in;
  $("saved").textContent = waiting ? `${counted(waiting, "label")} not saved yet …` : file ? `All labels are saved in ${shown(file)}` : "";
  $("undo").disabled = history.length === 0;
}

// Labels

/** give takes a step: labels, each with the one that was known before. */
function give(step) {
  unsaved.push(step);
  if (!step.undoes) history.push(step);
  for (const l of step.labels) done[l.label === "" ? "delete" : "add"](l.node);
  keepHistory();
  saved();
  flush();
}

function keepHistory() {
  if (history.length > 1000) history.shift();
  sessionStorage.setItem("history", JSON.stringify(history));
}

/** flush sends what is unsaved, as much as goes together. A step that is refused holds no other up. */
async function flush() {
  if (sending || unsaved.length === 0) return;
  const batch = [], nodes = new Set();
  for (const step of unsaved) {
    if (batch.length > 0 && (step.alone || batch[0].alone || nodes.size + step.labels.length > 1000 || step.labels.some((l) => nodes.has(l.node)))) break;
    batch.push(step);
    for (const l of step.labels) nodes.add(l.node);
  }
  const labels = batch.flatMap((step) => step.labels);
  sending = true;
  let wait = 0;
  try {
    const change = await ask("v1/labels", json({ labels: labels.map(({ node, label, was }) => ({ node, label, was })) }));
    unsaved.splice(0, batch.length);
    if ($("message").dataset.of === "saving") tell();
    await refresh();
    showChanges(labels, change);
    await Promise.all([refill(), again()]);
    refreshMap();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if ([0, 401, 408, 503, 507].includes(error.code)) {
      wait = 2000;
      tell(error.message + " The last labels are not saved yet; the page tries again.");
      $("message").dataset.of = "saving";
    } else if (batch.length > 1) {
      for (const step of batch) step.alone = true;
    } else {
      unsaved.shift();
      await refused(batch[0], error);
    }
  } finally {
    sending = false;
    saved();
    if (unsaved.length > 0) setTimeout(flush, wait);
  }
}

/** refused tells of a step that was not taken, and asks what now where somebody else labelled its node. */
async function refused(step, error) {
  const at = history.indexOf(step);
  if (at >= 0) history.splice(at, 1);
  for (const l of step.labels) done.delete(l.node);
  keepHistory();
  if (error.code !== 409 || step.labels.length > 1) return tell(error.message);
  await Promise.all([refresh(), again()]);
  const { node, label, was } = step.labels[0];
  const now = (await ask("v1/predict?" + query({ node }))).nodes[0].known;
  if (now === was) return tell(error.message);
  const name = (l) => (l === "" ? "no label" : shown(l));
  tell((now === "" ? `Somebody else took the label of ${shown(node)} away meanwhile.` : `Somebody else labelled ${shown(node)} meanwhile, as ${name(now)}.`) + ` Your label, ${name(label)}, was not taken.`, {
    [`Keep ${name(now)}`]: () => {},
    [`Make it ${name(label)}`]: () => give({ labels: [{ node, label, was: now }] }),
  });
}

/** label gives the node that is shown a label, and goes on. */
function label(name) {
  if (!current) return;
  $("confirm").hidden = true;
  $("label").value = "";
  const node = current.node;
  if (name === knownNow(current)) return next(`${shown(node)} is ${shown(name)} already.`);
  give({ labels: [{ node, label: name, was: knownNow(current) }] });
  if (name === "") return show(node);
  next(`${shown(name)} for ${shown(node)}.`);
}

/** knownNow is the known label of a node, with what is not saved yet. */
function knownNow(n) {
  for (const step of [...unsaved].reverse()) {
    for (const l of step.labels) if (l.node === n.node) return l.label;
  }
  return n.known;
}

/** labelOrAsk labels with a class that is there, and asks first for one that is not. */
function labelOrAsk(name) {
  if (state.places.has(name) || unsaved.some((step) => step.labels.some((l) => l.label === name))) return label(name);
  $("confirm-said").replaceChildren(element("bdi", {}, shown(name)), " is a new class. Make it?");
  $("confirm").dataset.name = name;
  $("confirm").hidden = false;
  $("confirm-yes").focus();
}

function undo() {
  const step = history.pop();
  if (!step) return;
  give({ labels: step.labels.map((l) => ({ node: l.node, label: l.was, was: l.label })), undoes: true });
  say("Taken back.");
  go(step.labels[0].node);
}

function skip() {
  if (!current) return;
  skipped.add(current.node);
  while (skipped.size > 90) skipped.delete(skipped.values().next().value);
  sessionStorage.setItem("skipped", JSON.stringify([...skipped]));
  next(`${shown(current.node)} is skipped.`);
}

// The queue

/** refill asks which nodes to label next. The one that comes next stays. */
let filling = Promise.resolve(); // the last time that it was asked
function refill() {
  filling = fill();
  return filling;
}

let asked = 0;
async function fill() {
  const mine = ++asked;
  const answer = await ask("v1/suggest?" + query({ count: Math.min(100, 10 + skipped.size + unsaved.reduce((sum, step) => sum + step.labels.length, 0)) }));
  if (mine !== asked) return filling; // there is a newer one
  const out = new Set([...skipped, ...done, current?.node, shownInAddress(), queue[0]]);
  const fresh = answer.nodes.filter((n) => !out.has(n.node));
  queue = [...queue.slice(0, 1), ...fresh.map((n) => n.node)].slice(0, 8);
  ended = queue.length === 0;
  facts = new Map([...queue.filter((node) => facts.has(node)).map((node) => [node, facts.get(node)]), ...answer.nodes.map((n) => [n.node, n])]);
  $("queue").replaceChildren(...queue.map((node) => element("li", {}, tile(node, ...(facts.has(node) ? predicted(facts.get(node)) : [])))));
  $("queue-said").textContent = ended ? "Nothing more: all others are labelled, skipped, or neighbours of these." : state.status.classes.length ? "In doubt themselves, and near to many others that are." : "Nothing is known yet: a label on one of these reaches most nodes.";
  prefetch(queue.slice(0, 3));
}

/** next goes to the next node of the queue: not to the one that is shown, which a link or the map may have led to. */
async function next(said = "") {
  say(said);
  const open = (node) => !done.has(node) && !skipped.has(node) && node !== shownInAddress();
  while ((queue = queue.filter(open)).length === 0) {
    const last = unsaved.length === 0; // else what is not saved yet may be all that was suggested
    await during(refill);
    if (last || !$("message").hidden) break;
    if (!queue.some(open)) await new Promise((go) => setTimeout(go, 100));
  }
  const node = queue.shift();
  if (node === undefined) return tell("There is nothing more to suggest.");
  [...$("queue").children].find((e) => e.firstElementChild.hash === nodeHash(node))?.remove();
  go(node);
  if (queue.length < 3 && !ended && unsaved.length === 0) during(refill);
}

// The node that is shown

let showing = 0;
let stopEvidence = () => {};

function go(node) {
  if (location.hash === nodeHash(node)) show(node);
  else location.hash = nodeHash(node);
}

/** show shows a node: at once what it is and its item, then why. */
async function show(node) {
  const mine = ++showing;
  const still = () => mine === showing;
  stopEvidence();
  await during(async () => {
    let n = facts.get(node); // at once; it is asked again when a label has been saved
    facts.delete(node);
    if (!n) n = (await ask("v1/predict?" + query({ node }))).nodes[0];
    if (!still()) return;
    current = n;
    $("confirm").hidden = true;
    render();
    if (document.activeElement === document.body || $("task").contains(document.activeElement) && document.activeElement.disabled) $("name").focus({ preventScroll: true });
    say(`${$("name").textContent}. ${$("said").textContent}`, true);
    noEvidence();
    await showItem(node, still);
    await evidence(still);
  });
}

/** again asks once more about the node that is shown, where labels have changed. */
async function again() {
  if (!current) return;
  const mine = showing, node = current.node;
  const { nodes: [n] } = await ask("v1/predict?" + query({ node }));
  if (mine !== showing || current.node !== node) return; // it went on meanwhile
  current = n;
  render();
  stopEvidence();
  await evidence(() => mine === showing);
}

async function evidence(still) {
  const stop = new AbortController(), node = current.node;
  stopEvidence = () => stop.abort();
  // Who hurries on needs none; and where a label is about to be saved, it is asked for after that.
  for (let k = 0; k === 0 || k < 10 && unsaved.length > 0 && still(); k++) await new Promise((go) => setTimeout(go, 100));
  if (!still() || stop.signal.aborted) return;
  try {
    const [why, around] = await Promise.all([
      ask("v1/explain?" + query({ node, top: 8 }), { signal: stop.signal }),
      ask("v1/neighbors?" + query({ node, top: 14 }), { signal: stop.signal }),
    ]);
    if (still()) showEvidence(why, around);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

/** render fills in what is said of the current node. */
function render() {
  const n = current, known = knownNow(n);
  $("main").hidden = false;
  document.title = shown(n.node) + " – adp-sparse";
  $("name").replaceChildren("Node ", element("bdi", {}, shown(n.node)));
  const said = known !== "" ? ["Labelled ", classed(known), "."] : {
    predicted: ["Probably ", classed(n.label), `, with ${percent(n.confidence)} of the vote.`],
    uncertain: ["A tie: ", classed(n.label), ` has ${percent(n.confidence)} of the vote, and another class as much.`],
    unreached: [state.status.classes.length ? "No known label reaches it." : "Nothing is known yet."],
    seed: ["Its label is being taken away."],
  }[n.status];
  $("said").replaceChildren(...said);
  classButtons(n);
  $("take").disabled = n.label === "" || known !== "";
  $("unset").hidden = known === "";
}

// Classes, and their keys

/** keysOf gives keys to classes: a class that is called by a digit has that one. */
function keysOf(classes) {
  const keys = new Map(), digits = new Set();
  for (const { label } of classes) {
    if (/^[0-9]$/.test(label)) {
      keys.set(label, label);
      digits.add(label);
    }
  }
  const free = [..."123456789"].filter((d) => !digits.has(d));
  for (const { label } of classes) {
    if (!keys.has(label) && free.length > 0) keys.set(label, free.shift());
  }
  return keys;
}

const buttons = new Map(); // by class; they stay, and with them the focus

function classButtons(n) {
  const classes = state.status.classes, keys = keysOf(classes);
  const shares = new Map((n.scores || []).map((s) => [s.label, s.share]));
  const listed = classes.filter((c) => classes.length <= 30 || keys.has(c.label) || shares.has(c.label));
  listed.sort((a, b) => (keys.get(a.label) ?? "~").localeCompare(keys.get(b.label) ?? "~")); // sorts stay, as keys do
  for (const { label: name } of listed) {
    if (!buttons.has(name)) buttons.set(name, element("button", { type: "button", onclick: () => label(name) }));
    const b = buttons.get(name), share = shares.get(name) || 0;
    b.className = "class" + (n.label === name ? " predicted" : "");
    b.replaceChildren(...(keys.has(name) ? [element("kbd", {}, keys.get(name)), " "] : []), swatch(name), " ", element("bdi", {}, shown(name)), " ", element("span", { class: "n" }, percent(share)), shareBar(name, share));
  }
  const wanted = listed.map((c) => buttons.get(c.label));
  if (wanted.length === 0) wanted.push(element("p", { class: "soft" }, "There is no class yet. Write what this is: that makes the first one."));
  const there = [...$("classes").children];
  if (there.length !== wanted.length || there.some((e, k) => e !== wanted[k])) $("classes").replaceChildren(...wanted);
}

/** say tells a screen reader; more adds to what was said before. */
function say(text, more = false) {
  const e = $("said-aloud");
  e.textContent = more ? (e.textContent + " " + text).trim() : text;
}

// Many at once

async function bulk() {
  const name = $("bulk-class").value, least = $("bulk-margin").value || "0";
  const answer = name === "" ? await ask("v1/candidates?" + query({ least, count: 60 })) : await ask("v1/candidates?" + query({ label: name, least, count: 60 }));
  $("bulk-said").textContent = `${counted(answer.all, "prediction")} of at least this margin; the ${answer.nodes.length} least sure of them:`;
  const boxes = answer.nodes.map((n) => {
    const box = element("input", { type: "checkbox", "aria-label": `take ${shown(n.label)} for ${shown(n.node)}`, onchange: count });
    box.checked = true;
    return { n, box };
  });
  function chosen() { return boxes.filter(({ box }) => box.checked); }
  function count() {
    $("bulk-take").textContent = `Take the ${counted(chosen().length, "prediction")}`;
    $("bulk-take").hidden = chosen().length === 0;
  }
  $("bulk-list").replaceChildren(...boxes.map(({ n, box }) => element("li", {}, box, tile(n.node, classed(n.label), " ", element("span", { class: "soft" }, "margin " + n.margin.toFixed(2))))));
  count();
  $("bulk-take").onclick = () => {
    const labels = chosen().map(({ n }) => ({ node: n.node, label: n.label, was: n.known }));
    $("bulk-list").replaceChildren();
    $("bulk-take").hidden = true;
    $("bulk-said").textContent = `${counted(labels.length, "prediction")} taken.`;
    give({ labels });
  };
}

// The rest

async function download() {
  const content = await ask("v1/labels", { as: "blob" });
  const address = URL.createObjectURL(content);
  element("a", { href: address, download: content.type.startsWith("text/csv") ? "labels.csv" : "labels.tsv" }).click();
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

/** look asks whether others have given labels. */
async function look() {
  if (document.hidden || sending || unsaved.length > 0 || !state.status) return;
  const before = state.status.labelling;
  try {
    const s = await ask("v1/status");
    if (s.labelling === before || sending || unsaved.length > 0) return;
    await refresh();
    await Promise.all([refill(), again()]);
    refreshMap();
  } catch { /* the next step says what is wrong */ }
}

function shownInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

async function start() {
  await refresh();
  $("token-form").hidden = true;
  const node = shownInAddress();
  if (node) await show(node);
  else await next();
  await refill();
  flush();
}

const press = {
  Enter: () => { if (!$("take").disabled) label(current.label); },
  s: skip, u: undo, n: () => next(), "/": () => $("label").focus(),
};

document.addEventListener("keydown", (e) => {
  const at = e.target;
  if (e.key === "Escape" && !$("confirm").hidden) {
    $("confirm").hidden = true;
    $("name").focus();
  }
  if (!$("keys").checked || e.ctrlKey || e.altKey || e.metaKey || e.repeat || at.closest("input, select, textarea, #map-canvas")) return;
  if (e.key === "Enter" && at.closest("button, a, [tabindex='0']")) return;
  if (!current || $("main").hidden || !$("confirm").hidden) return;
  const digit = [...keysOf(state.status.classes)].find(([, key]) => key === e.key);
  if (!digit && !press[e.key]) return;
  e.preventDefault();
  if (digit) label(digit[0]);
  else press[e.key]();
});

$("search").addEventListener("submit", (e) => { e.preventDefault(); go($("node").value); });
$("other").addEventListener("submit", (e) => { e.preventDefault(); $("label").blur(); labelOrAsk($("label").value.trim()); });
$("confirm-yes").addEventListener("click", () => { label($("confirm").dataset.name); $("name").focus(); });
$("confirm-no").addEventListener("click", () => { $("confirm").hidden = true; $("label").focus(); });
$("token-form").addEventListener("submit", (e) => { e.preventDefault(); sessionStorage.setItem("token", $("token").value); tell(); during(start); });
$("take").addEventListener("click", () => label(current.label));
$("skip").addEventListener("click", skip);
$("undo").addEventListener("click", undo);
$("next").addEventListener("click", () => next());
$("unset").addEventListener("click", () => label(""));
$("bulk-form").addEventListener("submit", (e) => { e.preventDefault(); during(bulk); });
$("download").addEventListener("click", () => during(download));
$("node").addEventListener("input", complete);
$("map-open").addEventListener("click", () => during(() => openMap(go)));
$("keys").checked = localStorage.getItem("keys") !== "off";
$("keys").addEventListener("change", () => localStorage.setItem("keys", $("keys").checked ? "on" : "off"));
window.addEventListener("hashchange", () => { const node = shownInAddress(); if (node && node !== current?.node) show(node); });
window.addEventListener("beforeunload", (e) => { if (unsaved.length > 0) e.preventDefault(); });
document.addEventListener("visibilitychange", look);
setInterval(look, 3000);
during(start);
