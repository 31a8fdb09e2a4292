// What all parts of the page use. All names are set as text, never as markup.

export const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const inks = 10; // --c0 to --c9
const forms = ["circle", "square", "triangle", "diamond", "cross"];

/** state is what the service said last. */
export const state = { status: null, places: new Map() };

/** element makes an element with attributes and children (text or elements). */
export function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}

export function svg(tag, attributes, ...children) {
  const e = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

/** Fault is what the service refused; code 0 is a service that does not answer. */
export class Fault extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/** ask sends a question and returns the answer, or throws what is to be said. */
export async function ask(path, options = {}) {
  const headers = { ...options.headers };
  const token = sessionStorage.getItem("token");
  if (token) headers.Authorization = "Bearer " + token;
  let answer;
  try {
    answer = await fetch(path, { ...options, headers });
  } catch {
    throw new Fault("The service does not answer. Is it still running?", 0);
  }
  if (answer.status === 401) {
    $("token-form").hidden = false;
    $("token").focus();
  }
  if (options.as && answer.ok) return answer[options.as]();
  const body = await answer.json().catch(() => ({ error: "answer " + answer.status }));
  if (!answer.ok) throw new Fault(body.error, answer.status);
  return body;
}

/** tell shows a message with buttons: names and what they do; none takes it away. */
export function tell(text = "", actions = {}) {
  const close = (act) => () => { tell(); act(); };
  $("message").replaceChildren(element("p", {}, text), ...Object.entries(actions).map(([name, act]) => element("button", { type: "button", class: "second", onclick: close(act) }, name)));
  $("message").hidden = text === "";
}

/** during runs a task, and shows its error. */
export async function during(task) {
  try {
    await task();
  } catch (error) {
    tell(error.message);
    if (!(error instanceof Fault)) throw error;
  }
}

export const query = (values) => new URLSearchParams(values).toString();
export const several = (nodes) => new URLSearchParams(nodes.map((n) => ["node", n])).toString();
export const percent = (share) => (100 * share).toFixed(share > 0 && share < 0.01 ? 2 : share < 0.0995 ? 1 : 0) + " %";
export const number = (n) => n.toLocaleString("en-US");
export const counted = (n, one, many = one + "s") => number(n) + " " + (n === 1 ? one : many);
export const short = (name, most) => ([...name].length > most ? [...name].slice(0, most - 1).join("") + "…" : name);

/** hidden are characters that nobody sees, or that change how others look (as package visible has them). */
const hidden = /(?! )[\p{C}\p{Z}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffd\u{e0100}-\u{e01ef}]/gu;

/** shown is a name as people see it: quoted, with escapes, where a character of it is hidden. */
export function shown(name) {
  if (name.search(hidden) < 0) return name;
  const escape = (c) => (c.length > 1 ? "\\U" + c.codePointAt(0).toString(16).padStart(8, "0") : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  return '"' + name.replace(/["\\]/g, "\\$&").replace(hidden, escape) + '"';
}

/** place is that of a class, which its colour and form follow from; -1 for none. */
export const place = (label) => state.places.get(label) ?? -1;
export const ink = (label) => (place(label) < 0 ? "none" : "c" + (place(label) % inks));

/** mark draws the form of a class around a point. */
export function mark(label, x, y, r) {
  const k = place(label);
  const attributes = { class: "mark " + ink(label) };
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

export const swatch = (label) => svg("svg", { class: "swatch", viewBox: "0 0 12 12", "aria-hidden": "true" }, mark(label, 6, 6, 4.6));

/** classed is the name of a class with its mark. */
export const classed = (label) => (label === "" ? element("span", {}, "no label") : element("span", {}, swatch(label), " ", element("bdi", {}, shown(label))));

/** option offers a name for an input or a list. */
export const option = (name) => element("option", name === shown(name) ? { value: name } : { value: name, label: shown(name) });

/** nodeHash is the address of a node on the page. */
export const nodeHash = (node) => "#" + encodeURIComponent(node);

/** link is a node's name that leads to it. */
export const link = (node) => element("a", { href: nodeHash(node) }, element("bdi", {}, shown(node)));
