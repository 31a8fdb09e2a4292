// All nodes in two dimensions, on a canvas: coloured by label, the larger the more in doubt, known ones
// with a dark rim. Points are written into the picture as numbers: a frame of 100,000 takes a few
// milliseconds.

import { $, ask, counted, during, element, number, state } from "./base.js";
import { predicted, tile } from "./items.js";

let places = null; // x and y of each node, 0 to 65,535
let labels = null; // of four bytes a node: class and 1, of two, margin, status
let classes = null; // the same, as numbers of two bytes
let picture = new Uint32Array(0); // of the canvas
let view = { x: 32768, y: 32768, scale: 1 }; // the middle, and how many times larger than the whole
let go = () => {};
let colours = [];
let rim = 0;
let waiting = false;

/** openMap shows the map, when it is there. */
export async function openMap(goTo) {
  go = goTo;
  $("map-open").hidden = true;
  $("map").hidden = false;
  for (;;) {
    const s = await ask("v1/map");
    if (s.ready) break;
    $("map-said").textContent = `The map is being made, once: ${Math.round(100 * s.done)} %`;
    await new Promise((go) => setTimeout(go, 500));
  }
  places = new Uint16Array(await ask("v1/map/places", { as: "arrayBuffer" }));
  await refreshMap();
}

/** refreshMap asks for the labels of the moment, where the map is shown. */
export async function refreshMap() {
  if (!places) return;
  const bytes = await ask("v1/map/labels", { as: "arrayBuffer" });
  labels = new Uint8Array(bytes);
  classes = new Uint16Array(bytes);
  draw();
  list();
}

/** colour is that of a variable of the style, as the bytes of a picture. */
function colour(name) {
  let hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim().slice(1);
  if (hex.length === 3) hex = [...hex].map((c) => c + c).join("");
  const [r, g, b] = [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16));
  return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}

const classOf = (i) => classes[2 * i] - 1;
const marginOf = (i) => labels[4 * i + 2] / 255;
const statusOf = (i) => labels[4 * i + 3];

/** filter returns which nodes are to be shown. */
function filter() {
  const place = $("map-class").value === "" ? null : state.places.get($("map-class").value);
  const status = $("map-status").value === "" ? null : Number($("map-status").value);
  const margin = $("map-margin").value / 100;
  return (i) => (place === null || classOf(i) === place) && (status === null || statusOf(i) === status) && (margin === 1 || marginOf(i) <= margin);
}

/** frame is how places of the map become points of the canvas. */
function frame() {
  const canvas = $("map-canvas"), side = (Math.min(canvas.width, canvas.height) - 12) / 65536 * view.scale;
  return { canvas, side, left: canvas.width / 2 - view.x * side, top: canvas.height / 2 - view.y * side };
}

function draw() {
  if (!labels || waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    paint();
  });
}

function paint() {
  const start = performance.now();
  const canvas = $("map-canvas"), sharp = Math.min(devicePixelRatio || 1, 2);
  const width = Math.round(canvas.clientWidth * sharp), height = Math.round(canvas.clientHeight * sharp);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  colours = [...Array(10).keys()].map((k) => colour("--c" + k));
  rim = colour("--strong");
  const none = colour("--soft");
  if (picture.length !== width * height) picture = new Uint32Array(width * height);
  picture.fill(colour("--paper"));
  const { side, left, top } = frame(), n = places.length / 2, shown = filter();
  const least = Math.max(1, Math.round(sharp * Math.min(3, Math.sqrt(width * height / n) / 14 + Math.log2(view.scale) / 3)));
  const square = (x, y, r, ink) => {
    const right = Math.min(width - 1, x + r), bottom = Math.min(height - 1, y + r);
    for (let v = Math.max(0, y - r); v <= bottom; v++) {
      for (let u = Math.max(0, x - r); u <= right; u++) picture[v * width + u] = ink;
    }
  };
  let visible = 0;
  const known = [];
  for (let i = 0; i < n; i++) {
    if (!shown(i)) continue;
    const x = Math.round(left + places[2 * i] * side), y = Math.round(top + places[2 * i + 1] * side);
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    visible++;
    if (statusOf(i) === 0) {
      known.push([x, y, classOf(i)]);
      continue;
    }
    const doubt = 1 - marginOf(i);
    square(x, y, least - 1 + (doubt > 0.9 ? 1 : 0), classOf(i) < 0 ? none : colours[classOf(i) % 10]);
  }
  for (const [x, y, j] of known) {
    square(x, y, least + 2, rim);
    square(x, y, least + 1, colours[j % 10]);
  }
  canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(picture.buffer), width, height), 0, 0);
  $("map-said").textContent = `${counted(visible, "node")} of ${number(n)} in view. Drag moves, the wheel or + and − zoom, a click goes to a node.`;
  canvas.dataset.milliseconds = (performance.now() - start).toFixed(1);
}

/** nearest returns the nodes of the filter that are nearest to a point of the canvas, within a distance. */
function nearest(px, py, count, within) {
  const { side, left, top } = frame(), shown = filter(), found = [];
  for (let i = 0; i < places.length / 2; i++) {
    const d = Math.hypot(left + places[2 * i] * side - px, top + places[2 * i + 1] * side - py);
    if (d <= within && shown(i)) found.push([d, i]);
  }
  return found.sort((a, b) => a[0] - b[0]).slice(0, count).map(([, i]) => i);
}

const names = async (numbers) => (await ask("v1/nodes?" + new URLSearchParams(numbers.map((i) => ["at", i])))).nodes;

/** list shows the nodes about the middle of the view, for who cannot see or point. */
let soon;
function list() {
  clearTimeout(soon);
  soon = setTimeout(() => during(async () => {
    const { canvas } = frame();
    const numbers = nearest(canvas.width / 2, canvas.height / 2, 16, Math.min(canvas.width, canvas.height) / 2);
    if (numbers.length === 0) return $("map-list").replaceChildren();
    const answer = await ask("v1/predict?" + new URLSearchParams((await names(numbers)).map((node) => ["node", node])));
    $("map-list").replaceChildren(...answer.nodes.map((n) => element("li", {}, tile(n.node, ...predicted(n)))));
  }), 300);
}

async function choose(px, py, within) {
  const [i] = nearest(px, py, 1, within);
  if (i !== undefined) go((await names([i]))[0]);
}

function moved() {
  view.scale = Math.min(400, Math.max(0.8, view.scale));
  draw();
  list();
}

/** zoom makes all larger about a point of the canvas. */
function zoom(times, px, py) {
  const { canvas, side, left, top } = frame();
  const x = (px - left) / side, y = (py - top) / side;
  view.scale = Math.min(400, Math.max(0.8, view.scale * times));
  const now = frame().side;
  view.x = x - (px - canvas.width / 2) / now;
  view.y = y - (py - canvas.height / 2) / now;
  moved();
}

const canvas = $("map-canvas");
const at = (e) => {
  const sharp = canvas.width / canvas.clientWidth, box = canvas.getBoundingClientRect();
  return [(e.clientX - box.left) * sharp, (e.clientY - box.top) * sharp];
};
const fingers = new Map(); // pointers that are down
let dragged = 0;

canvas.addEventListener("wheel", (e) => { e.preventDefault(); zoom(Math.exp(-e.deltaY / 400), ...at(e)); }, { passive: false });
canvas.addEventListener("pointerdown", (e) => { canvas.setPointerCapture(e.pointerId); fingers.set(e.pointerId, at(e)); dragged = 0; });
canvas.addEventListener("pointermove", (e) => {
  const before = fingers.get(e.pointerId);
  if (!before) return;
  const now = at(e), { side } = frame();
  const other = [...fingers].find(([id]) => id !== e.pointerId)?.[1];
  fingers.set(e.pointerId, now);
  dragged += Math.hypot(now[0] - before[0], now[1] - before[1]);
  if (other) return zoom(Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1])), ...other);
  view.x -= (now[0] - before[0]) / side;
  view.y -= (now[1] - before[1]) / side;
  moved();
});
canvas.addEventListener("pointerup", (e) => {
  if (fingers.size === 1 && dragged < 8) during(() => choose(...at(e), 30));
  fingers.delete(e.pointerId);
});
canvas.addEventListener("pointercancel", (e) => fingers.delete(e.pointerId));
canvas.addEventListener("keydown", (e) => {
  const step = 60 / frame().side, middle = [canvas.width / 2, canvas.height / 2];
  const act = {
    "+": () => zoom(1.4, ...middle), "=": () => zoom(1.4, ...middle), "-": () => zoom(1 / 1.4, ...middle),
    ArrowLeft: () => { view.x -= step; moved(); }, ArrowRight: () => { view.x += step; moved(); },
    ArrowUp: () => { view.y -= step; moved(); }, ArrowDown: () => { view.y += step; moved(); },
    Enter: () => during(() => choose(...middle, Infinity)),
  }[e.key];
  if (!act) return;
  e.preventDefault();
  act();
});
for (const id of ["map-class", "map-status", "map-margin"]) $(id).addEventListener("input", () => { if (labels) moved(); });
$("map-all").addEventListener("click", () => { view = { x: 32768, y: 32768, scale: 1 }; moved(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
new ResizeObserver(draw).observe(canvas);
