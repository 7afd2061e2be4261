// The page of one topology: its state and totals, what is wrong, the graph, the components as a table, and its timeline.

import { topologyActions } from "./actions.js";
import { get } from "./api.js";
import { deadLetters } from "./deadletters.js";
import { h, replace } from "./dom.js";
import { Figures } from "./figures.js";
import { newGraph } from "./graph.js";
import { newHead } from "./head.js";
import { newPipeline } from "./pipeline.js";
import { newRemarks, nothingIn } from "./remarks.js";
import { newComponentTable, newStreamTable } from "./tables.js";
import { timeline } from "./timeline.js";

const INTERVAL_MILLIS = 1000;

export async function show(root, [name], context) {
  const first = await get("live", { topology: name });
  if (!context.isOpen()) {
    return;
  }
  const update = first.kind === "pipeline" ? pipelinePage(root, name, context) : topologyPage(root, name, context);
  let next = first;
  context.every(INTERVAL_MILLIS, async () => {
    const live = next ?? (await get("live", { topology: name }));
    next = null;
    if (context.isOpen()) {
      update(live);
    }
  });
}

function topologyPage(root, name, context) {
  const [title, totals, remarks, graphPlace, componentPlace, streamPlace] = ["section", "section.head", "section.panel", "section.panel", "div", "div"].map((tag) => h(tag));
  const actions = h("section", { id: "actions", "aria-label": "Actions" });
  const time = h("section.panel", { id: "timeline", "aria-label": "Timeline" });
  const streams = h("details.panel", null, h("summary", null, h("h2", null, "Streams")), streamPlace);
  const components = h("section.panel", { tabindex: -1, "aria-label": "Components" }, h("h2", null, "Components"), componentPlace);
  const letters = h("div");
  replace(root, title, remarks, totals, actions, graphPlace, components, streams, letters, time);
  const drawHead = newHead(title, totals, name, context);
  const drawRemarks = newRemarks(remarks, name, nothingIn(context));
  const graph = newGraph(graphPlace, name, () => components.focus());
  const table = newComponentTable(componentPlace, name, context);
  const streamTable = newStreamTable(streamPlace, name);
  const loader = new GraphLoader(graph, streamTable, name, context);
  graphPlace.hidden = !context.can("graph");
  streams.hidden = !context.can("graph");
  timeline(time, context, name, null);
  let figures = null;
  let hasLetters = false;
  streams.addEventListener("toggle", () => streams.open && streamTable.update(figures));
  return (live) => {
    figures = new Figures(live);
    drawHead(figures);
    topologyActions(actions, context, live);
    drawRemarks(live);
    table.update(figures);
    graph.update(figures);
    loader.check(figures);
    if (streams.open) {
      streamTable.update(figures);
    }
    if (!hasLetters && figures.rows.some((row) => figures.value(row, "deadLettered") > 0)) {
      hasLetters = true;
      deadLetters(letters, context, name);
    }
  };
}

/** Asks for the graph at the start, and again if the name is now that of a topology with other components. */
class GraphLoader {
  #graph;
  #streams;
  #name;
  #context;
  #components = null;

  constructor(graph, streams, name, context) {
    this.#graph = graph;
    this.#streams = streams;
    this.#name = name;
    this.#context = context;
  }

  check(figures) {
    const components = figures.rows.map((row) => figures.value(row, "id"));
    const same = components.length === this.#components?.size && components.every((id) => this.#components.has(id));
    if (!same && this.#context.can("graph")) {
      this.#components = new Set(components);
      this.#load().catch((e) => {
        this.#components = null;
        this.#graph.fail(e.message);
      });
    }
  }

  async #load() {
    const answer = await get("graph", { topology: this.#name });
    if (this.#context.isOpen()) {
      this.#graph.build(answer);
      this.#streams.setGraph(answer);
    }
  }
}

function pipelinePage(root, name, context) {
  const title = h("section");
  const totals = h("section.head");
  const actions = h("section", { id: "actions", "aria-label": "Actions" });
  const body = h("div");
  const time = h("section.panel", { id: "timeline", "aria-label": "Timeline" });
  replace(root, title, body, time);
  const drawHead = newHead(title, totals, name, context);
  const drawBody = newPipeline(body, name, [totals, actions]);
  timeline(time, context, name, null);
  return (live) => {
    drawHead(new Figures(live));
    topologyActions(actions, context, live);
    drawBody(live);
  };
}
