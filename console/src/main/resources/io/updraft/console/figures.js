// The figures of one topology in one interval, from the answer of the request "live", and the marks of its components. Rows stay
// arrays: an object a row would cost more than drawing it when there are 1,000 components.

import { percent, plural, quantity } from "./format.js";

export function topologyHref(topology) {
  return "#/topology/" + encodeURIComponent(topology);
}

export function componentHref(topology, component) {
  return topologyHref(topology) + "/component/" + encodeURIComponent(component);
}

export function edgeKey(from, stream, to) {
  return from + "\n" + stream + "\n" + to;
}

/** The kinds of remarks that mark a component, with their levels. */
const MARKS = { deadlock: "bad", stuck: "bad", failing: "bad", "hot-key": "warn", bottleneck: "warn" };

export class Figures {
  #row = new Map();
  #edge = new Map();
  #at;
  #edgeAt;
  #marks;

  constructor(live) {
    this.live = live;
    this.rows = live.table?.rows ?? [];
    this.#at = positions(live.table);
    this.#edgeAt = positions(live.edges);
    this.rows.forEach((row) => this.#row.set(this.value(row, "id"), row));
    for (const row of live.edges?.rows ?? []) {
      this.#edge.set(edgeKey(...["from", "stream", "to"].map((column) => row[this.#edgeAt[column]])), row);
    }
    this.#marks = this.#findMarks();
  }

  /** Whether the answer has this figure of components, known or not. */
  has(column) {
    return column in this.#at;
  }

  value(row, column) {
    return row?.[this.#at[column]] ?? null;
  }

  of(id, column) {
    return this.value(this.#row.get(id), column);
  }

  edge(key, column) {
    return this.#edge.get(key)?.[this.#edgeAt[column]] ?? null;
  }

  spouts() {
    return this.rows.filter((row) => this.value(row, "kind") === "spout");
  }

  /** The tuples per second that a component handles: a spout emits, a bolt executes. */
  rate(row) {
    return this.value(row, this.value(row, "kind") === "spout" ? "emittedPerSecond" : "executedPerSecond");
  }

  /** The marks of a component, most urgent first: {text, level "bad" or "warn", errors: whether it is the number of errors}. */
  marks(id) {
    return this.#marks.get(id) ?? [];
  }

  #findMarks() {
    const marks = new Map();
    const add = (id, level, text, errors = false) => {
      if (!marks.has(id)) {
        marks.set(id, []);
      }
      if (!marks.get(id).some((mark) => mark.text === text)) {
        marks.get(id).push({ level, text, errors });
      }
    };
    for (const [id, kinds] of Object.entries(this.live.marks ?? {})) {
      kinds.filter((kind) => kind in MARKS).forEach((kind) => add(id, MARKS[kind], kind.replace("-", " ")));
    }
    for (const row of this.rows) {
      if (this.value(row, "errors") > 0) {
        add(this.value(row, "id"), "warn", errorCount(this.value(row, "errors")), true);
      }
    }
    return marks;
  }

  /** The figures of a component in words, for screen readers. */
  words(id) {
    const row = this.#row.get(id);
    if (!row) {
      return "no figures";
    }
    const spout = this.value(row, "kind") === "spout";
    const held = this.value(row, "throttled") ? ["held back by back-pressure"] : [];
    return [
      ...this.marks(id).map((mark) => mark.text),
      ...held,
      quantity(this.rate(row)) + " tuples a second " + (spout ? "emitted" : "executed"),
      percent(this.value(row, "busy")) + " busy",
      ...(this.has("waiting") ? [quantity(this.value(row, "waiting")) + (spout ? " in flight" : " waiting")] : []),
      plural(this.value(row, "executors"), "executor"),
    ].join(", ");
  }
}

export function errorCount(errors) {
  return quantity(errors) + (errors === 1 ? " error" : " errors");
}

function positions(table) {
  return Object.fromEntries((table?.columns ?? []).map((column, i) => [column, i]));
}
