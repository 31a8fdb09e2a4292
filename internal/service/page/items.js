// What nodes stand for: texts and pictures. Pictures are drawn on canvases, so that the page needs
// no right to load any.

import { $, ask, classed, element, nodeHash, percent, query, several, short, shown, state } from "./base.js";

const most = 600; // items that are remembered
const known = new Map(); // node: promise of its item
const pictures = new Map(); // node: promise of its picture
let titles = [];
let wanted = []; // nodes to ask for together

function remember(map, node, value) {
  map.set(node, value);
  if (map.size > most) map.delete(map.keys().next().value);
  return value;
}

/** itemOf returns the item of a node; those asked for at a time are one question. */
export function itemOf(node) {
  if (known.has(node)) return known.get(node);
  return remember(known, node, new Promise((resolve, reject) => {
    wanted.push({ node, resolve, reject });
    if (wanted.length === 1) queueMicrotask(fetchItems);
  }));
}

async function fetchItems() {
  const all = wanted;
  wanted = [];
  for (let from = 0; from < all.length; from += 100) {
    const some = all.slice(from, from + 100);
    try {
      const answer = await ask("v1/items?" + several(some.map((w) => w.node)));
      titles = answer.titles;
      answer.items.forEach((item, k) => some[k].resolve(item));
    } catch (error) {
      for (const w of some) {
        known.delete(w.node);
        w.reject(error);
      }
    }
  }
}

function pictureOf(node) {
  if (pictures.has(node)) return pictures.get(node);
  const drawn = ask("v1/picture?" + query({ node }), { as: "blob" }).then(createImageBitmap);
  drawn.catch(() => pictures.delete(node));
  return remember(pictures, node, drawn);
}

/** canvas is the picture of a node. */
async function canvas(node) {
  const picture = await pictureOf(node);
  const c = element("canvas", { role: "img", "aria-label": "picture of " + shown(node), width: picture.width, height: picture.height });
  if (picture.width <= 64) c.classList.add("pixels");
  c.getContext("2d").drawImage(picture, 0, 0);
  return c;
}

/** prefetch asks for what will be shown soon. */
export async function prefetch(nodes) {
  if (!state.status.items) return;
  for (const node of nodes) itemOf(node).then((item) => item.picture && pictureOf(node)).catch(() => {});
}

/** showItem fills a place with the whole item of a node. */
export async function showItem(node, still) {
  let children = [];
  if (state.status.items) {
    try {
      const item = await itemOf(node);
      if (item.picture) children.push(await canvas(node).catch((error) => element("p", { class: "soft" }, error.message)));
      const texts = item.texts.map((text, k) => [titles[k], text]).filter(([, text]) => text !== "");
      if (texts.length > 0) children.push(element("dl", {}, ...texts.flatMap(([title, text]) => [element("dt", {}, shown(title)), element("dd", { dir: "auto" }, text)])));
      if (children.length === 0) children.push(element("p", { class: "soft" }, "This node has no item."));
    } catch (error) {
      children = [element("p", { class: "soft" }, error.message)];
    }
  }
  if (still()) $("item").replaceChildren(...children);
}

/** tile shows a node small, with words below it; it leads to the node. */
export function tile(node, ...words) {
  const face = element("span", { class: "face" });
  const a = element("a", { href: nodeHash(node), class: "tile" }, face, element("span", { class: "words" }, ...words, element("bdi", { class: "soft id" }, short(shown(node), 24))));
  if (state.status.items) {
    itemOf(node).then(async (item) => {
      if (item.picture) face.append(await canvas(node));
      else face.append(element("span", { class: "text", dir: "auto" }, short(item.texts.filter((t) => t !== "").join(" · "), 140)));
    }).catch(() => {});
  }
  return a;
}

/** predicted are the words about a node's label. */
export function predicted(n) {
  if (n.label === "") return ["no label"];
  return [classed(n.label), " ", element("span", { class: "soft" }, n.known !== "" ? "known" : percent(n.confidence))];
}
