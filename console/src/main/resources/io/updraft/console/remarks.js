// What is wrong with a topology or a pipeline, as the server says it, the most urgent first, and the advice.

import { h, replace, setLong, setText } from "./dom.js";
import { componentHref } from "./figures.js";

/** What is known of a cluster. */
const NOTHING_IN_CLUSTER = "Nothing is wrong: all executors report, no tuple fails, no error is kept, no component is nearly busy.";

const NOTHING = "Nothing is wrong: no call is stuck, no tuple fails, no key is hot, no component holds back others.";

export const NOTHING_IN_PIPELINE = "Nothing is wrong: the pipeline reports no trouble.";

/** Draws into root; returns the function to call with each interval's answer. */
export function newRemarks(root, topology, nothing, advised = true) {
  const list = h("ul.remarks");
  const fine = h("p.good.fine", null, "✓ " + nothing);
  const advice = h("div.advice", { hidden: true });
  const notes = h("p.soft", { hidden: true });
  replace(root, h("h2", null, "What is wrong"), fine, list, advice, notes);
  const items = new Map();
  return (live) => {
    const remarks = troubles(live);
    fine.hidden = remarks.length > 0;
    list.hidden = remarks.length === 0;
    drawRemarks(list, items, remarks, topology);
    drawAdvice(advice, advised ? (live.advice?.lines ?? []) : []);
    const plain = (live.remarks ?? []).filter((remark) => remark.style === "plain" && remark.kind !== "advice").map(line);
    notes.hidden = plain.length === 0;
    setText(notes, plain.map((text) => capital(text) + ".").join(" "));
  };
}

export function nothingIn(context) {
  return context.isCluster ? NOTHING_IN_CLUSTER : NOTHING;
}

/** The remarks on what is wrong, as {key, level "bad" or "warn", label, text, component, href, link}. */
export function troubles({ remarks }) {
  const places = new Map();
  return (remarks ?? [])
    .filter((remark) => remark.style !== "plain")
    .map((remark) => {
      const place = places.get(remark.kind) ?? 0;
      places.set(remark.kind, place + 1);
      return {
        key: [remark.kind, remark.component ?? "", place].join("/"),
        level: remark.style === "bad" && remark.present ? "bad" : "warn",
        label: remark.text.startsWith(" ") ? "" : remark.kind === "deadlock" ? "Deadlock" : capital(remark.label),
        text: remark.text.trim(),
        component: remark.component,
        ...LINKS[remark.kind],
      };
    });
}

const PROCESSES = { href: "#/processes", link: "Processes" };

const LINKS = { deadlock: { link: "Stack" }, stuck: { link: "Stack" }, "worker-down": PROCESSES, "worker-restarted": PROCESSES };

function line({ label, text }) {
  return text.startsWith(" ") ? text.trim() : label + ": " + text;
}

function capital(text) {
  return text === "" ? text : text[0].toUpperCase() + text.slice(1);
}

/** Keeps the elements of remarks that stay, so that focus and selection stay, too. */
function drawRemarks(list, items, remarks, topology) {
  const keys = new Set(remarks.map((remark) => remark.key));
  for (const [key, item] of items) {
    if (!keys.has(key)) {
      item.element.remove();
      items.delete(key);
    }
  }
  remarks.forEach((remark, i) => {
    let item = items.get(remark.key);
    if (!item) {
      item = newItem(remark, topology);
      items.set(remark.key, item);
    }
    setLong(item.text, remark.text);
    if (list.children[i] !== item.element) {
      list.insertBefore(item.element, list.children[i] ?? null);
    }
  });
}

function newItem(remark, topology) {
  const text = h("span.line.clamp");
  const links = remark.component
    ? [h("a.open", { href: componentHref(topology, remark.component), title: remark.component }, remark.link ?? "Open")]
    : remark.href
      ? [h("a.open", { href: remark.href }, remark.link)]
      : [];
  return { text, element: h("li." + remark.level, null, h("strong.label", null, remark.label), text, ...links) };
}

function drawAdvice(place, lines) {
  place.hidden = lines.length === 0;
  const now = lines.join("\n");
  if (place.dataset.lines === now) {
    return;
  }
  place.dataset.lines = now;
  // The load of each component is a table of aligned columns, indented by two blanks; the other lines are sentences.
  const load = lines.filter((line) => line.startsWith("  "));
  const open = place.querySelector("details")?.open ?? false;
  replace(
    place,
    h("h3", null, "Advice"),
    h("ul", null, lines.filter((line) => !line.startsWith("  ")).map((line) => h("li", null, line))),
    load.length === 0 ? null : h("details", { open }, h("summary", null, "Load by component"), h("pre", { tabindex: 0 }, load.join("\n"))),
  );
}
