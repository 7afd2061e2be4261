// Messages at the bottom of the page: what an action answered, or why it failed.

import { h } from "./dom.js";

const SHOWN_MILLIS = 12_000;

/** Shows a message for some seconds; a failure stays until the user closes it. */
export function message(text, failure = false) {
  const close = h("button", { type: "button", "aria-label": "Close the message", onclick: () => line.remove() }, "×");
  const line = h(failure ? "p.message.bad" : "p.message", failure ? { role: "alert" } : null, text, close);
  document.getElementById("messages").append(line);
  if (!failure) {
    setTimeout(() => line.remove(), SHOWN_MILLIS);
  }
}
