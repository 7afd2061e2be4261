import { h, replace } from "./dom.js";

export async function show(root) {
  replace(root, h("h1", null, "Updraft"));
}
