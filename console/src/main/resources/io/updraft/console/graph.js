// The graph of a topology. The server lays it out; the drawing is built once. Each second only what is in view and has changed is
// touched. How much a node shows depends on the zoom: all figures, its name and how busy it is, or only its load and a mark.

import { h, replace, svg, visible } from "./dom.js";
import { componentHref, edgeKey } from "./figures.js";
import { percent, plural, quantity, rate } from "./format.js";
import { labelPlaces, roundedPath } from "./edges.js";
import { Viewport } from "./viewport.js";

const PADDING = 24;
const DETAILED_SCALE = 0.6;
const NAMED_SCALE = 0.27;

/** From these busy shares on, a load is marked as high, and as full. */
const HIGH = 0.75;
const FULL = 0.9;

/** Up to so many edges have labels at the middle zoom, too. */
const FEW_EDGES = 40;

const ICONS = {
  spout: "M7 0C10 4 13 6.5 13 9.5A6 6 0 0 1 1 9.5C1 6.5 4 4 7 0Z",
  bolt: "M8.5 0L2 8.5H6.5L5 15L12 6H7.5Z",
};

/** Draws an empty graph into root; returns {build(graph), update(figures)}. skip is called to leave the graph by keyboard. */
export function newGraph(root, topology, skip) {
  return new Graph(root, topology, skip);
}

class Graph {
  #topology;
  #frame;
  #world = svg("g");
  #svg;
  #viewport;
  #nodes = [];
  #edges = [];
  #figures = null;
  #mode = "";
  #visible = true;

  constructor(root, topology, skip) {
    this.#topology = topology;
    this.#svg = svg("svg", { role: "group", "aria-label": "Graph of " + topology }, markers(), this.#world);
    this.#frame = h("div.graph", { tabindex: 0, role: "region", "aria-label": "Graph: arrow keys move, plus and minus zoom, 0 fits" }, this.#svg);
    this.#viewport = new Viewport(this.#frame, this.#world, () => this.#refresh());
    const button = (text, label, work) => h("button", { type: "button", "aria-label": label, title: label, onclick: work }, text);
    replace(
      root,
      h(
        "div.tools",
        null,
        h("h2", null, "Graph"),
        button("+", "Zoom in (+)", () => this.#viewport.zoomIn()),
        button("−", "Zoom out (-)", () => this.#viewport.zoomOut()),
        button("Fit", "Show the whole graph (0)", () => this.#viewport.fit()),
        h("button.skip", { type: "button", onclick: skip }, "Skip the graph"),
        h("span.soft.hint", null, "Drag to move, Ctrl + wheel to zoom"),
      ),
      this.#frame,
    );
    new IntersectionObserver((entries) => {
      this.#visible = entries[entries.length - 1].isIntersecting;
      this.#refresh();
    }).observe(this.#frame);
    // On the frame: a browser takes an SVG element that listens to the focus for a stop of the Tab key.
    this.#frame.addEventListener("focusin", (event) => {
      const node = this.#nodes.find((each) => each.link === event.target);
      if (node) {
        this.#describe(node);
        this.#viewport.reveal(node.place);
      }
    });
  }

  fail(reason) {
    replace(this.#frame, h("p.bad", { role: "alert" }, "no graph: " + reason));
  }

  build(graph) {
    if (graph.nodes.length === 0) {
      this.#nodes = [];
      replace(this.#frame, h("p.soft", null, "The topology has no components."));
      return;
    }
    replace(this.#frame, this.#svg);
    const width = graph.width + 2 * PADDING;
    const height = graph.height + 2 * PADDING;
    this.#frame.style.height = "min(62vh, " + Math.max(160, height * Math.min(1, this.#frame.clientWidth / width)) + "px)";
    this.#viewport.setContent(width, height);
    this.#nodes = graph.nodes.map((node) => this.#newNode(node));
    const places = labelPlaces(graph);
    this.#edges = graph.edges.map((edge, i) => newEdge(edge, places[i]));
    this.#svg.classList.toggle("few", graph.edges.length <= FEW_EDGES);
    replace(
      this.#world,
      svg("g", { "aria-hidden": "true" }, this.#edges.map((edge) => edge.path)),
      svg("g", null, this.#nodes.map((node) => node.link)),
      svg("g", { "aria-hidden": "true" }, this.#edges.map((edge) => edge.label)),
    );
    this.#mode = "";
  }

  update(figures) {
    this.#figures = figures;
    this.#refresh();
  }

  #newNode(node) {
    const place = { x: node.x + PADDING, y: node.y + PADDING, width: node.width, height: node.height };
    const title = node.id + " (" + node.kind + (node.type ? ", " + node.type : "") + ")";
    const fill = svg("rect.fill", { width: 0, height: node.height, rx: 6 });
    const mark = svg("g.alarm", { transform: "translate(" + node.width + " 0)" }, svg("circle", { r: 16 }), svg("text", { y: 8 }, "!"));
    const link = svg(
      "a.node",
      { href: componentHref(this.#topology, node.id), "aria-label": node.kind + " " + node.id, transform: "translate(" + place.x + " " + place.y + ")" },
      svg("title", null, title),
      svg("rect.card", { width: node.width, height: node.height, rx: 6 }),
      fill,
      mark,
    );
    return { ...node, place, link, fill, detail: null, brief: null, shown: {} };
  }

  #refresh() {
    if (!this.#visible || this.#nodes.length === 0) {
      return;
    }
    const { scale } = this.#viewport;
    const mode = scale >= DETAILED_SCALE ? "detailed" : scale >= NAMED_SCALE ? "named" : "far";
    if (mode !== this.#mode) {
      this.#svg.classList.remove("detailed", "named", "far");
      this.#svg.classList.add(mode);
      this.#mode = mode;
    }
    this.#svg.style.setProperty("--alarm", String(Math.max(0.5, 0.45 / scale)));
    const view = this.#viewport.view();
    for (const node of this.#nodes) {
      const { x, y, width, height } = node.place;
      if (x < view.right && y < view.bottom && x + width > view.left && y + height > view.top) {
        this.#drawNode(node);
      }
    }
    for (const edge of this.#edges) {
      const { box } = edge;
      if (box.left < view.right && box.top < view.bottom && box.right > view.left && box.bottom > view.top) {
        this.#drawEdge(edge);
      }
    }
  }

  #drawNode(node) {
    if (this.#mode === "detailed" && node.detail === null) {
      node.detail = newDetail(node);
      node.link.append(node.detail.group);
    } else if (this.#mode === "named" && node.brief === null) {
      node.brief = newBrief(node);
      node.link.append(node.brief.group);
    }
    const figures = this.#figures;
    if (figures === null) {
      return;
    }
    const busy = figures.of(node.id, "busy");
    const marks = figures.marks(node.id);
    const width = Math.round(Math.min(1, Math.max(0, busy ?? 0)) * node.width);
    set(node, "width", width, (value) => node.fill.setAttribute("width", value));
    const worst = marks.length === 0 ? "" : marks.some((mark) => mark.level === "bad") ? " bad" : " warn";
    const load = busy >= FULL ? " full" : busy >= HIGH ? " high" : "";
    set(node, "class", "node" + load + worst, (value) => node.link.setAttribute("class", value));
    if (this.#mode === "detailed") {
      this.#drawDetail(node, busy, marks);
      this.#describe(node);
    } else if (this.#mode === "named") {
      set(node, "brief", percent(busy), (value) => (node.brief.busy.textContent = value));
    }
  }

  #drawDetail(node, busy, marks) {
    const figures = this.#figures;
    const { detail } = node;
    const spout = node.kind === "spout";
    const write = (name, text) => set(node, name, text, (value) => (detail[name].textContent = value));
    write("rate", rate(figures.of(node.id, spout ? "emittedPerSecond" : "executedPerSecond")) + (spout ? " emitted" : ""));
    write("executors", plural(figures.of(node.id, "executors"), "executor"));
    write("busy", percent(busy) + " busy");
    write("waiting", !figures.has("waiting") ? "" : quantity(figures.of(node.id, "waiting")) + (spout ? " in flight" : " waiting"));
    set(node, "bar", Math.round(Math.min(1, Math.max(0, busy ?? 0)) * (node.width - 20)), (value) => detail.bar.setAttribute("width", value));
    const held = figures.of(node.id, "throttled") ? [{ level: "held", text: "held back" }] : [];
    const pills = [...marks, ...held];
    set(node, "pills", pills.map((pill) => pill.level + pill.text).join(), () => drawPills(detail.pills, pills, node.width));
  }

  #describe(node) {
    const words = this.#figures === null ? "" : ": " + this.#figures.words(node.id);
    set(node, "words", node.kind + " " + node.id + words, (value) => node.link.setAttribute("aria-label", visible(value)));
  }

  #drawEdge(edge) {
    if (this.#figures === null) {
      return;
    }
    const perSecond = this.#figures.edge(edge.key, "perSecond");
    const held = this.#figures.edge(edge.key, "backPressured") === true;
    set(edge, "class", "edge w" + weight(perSecond) + (held ? " held" : ""), (value) => edge.path.setAttribute("class", value));
    if (this.#mode !== "far" && edge.label !== null) {
      set(edge, "label", rate(perSecond) + (held ? " held" : edge.stream), (value) => (edge.label.textContent = value));
      set(edge, "labelClass", held ? "rate held" : "rate", (value) => edge.label.setAttribute("class", value));
    }
  }
}

/** Calls write if the value is another one than the one shown. */
function set(item, name, value, write) {
  if (item.shown[name] !== value) {
    item.shown[name] = value;
    write(value);
  }
}

function weight(perSecond) {
  return perSecond > 0 ? Math.min(6, 1 + Math.floor(Math.log10(1 + perSecond))) : 0;
}

function newEdge(edge, place) {
  const fields = edge.fields?.length > 0 ? " by " + edge.fields.join(", ") : "";
  const title = edge.from + " → " + edge.to + ", stream " + edge.stream + ", " + edge.grouping + " grouping" + fields;
  const points = edge.points.map(([x, y]) => [x + PADDING, y + PADDING]);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return {
    key: edgeKey(edge.from, edge.stream, edge.to),
    stream: edge.stream === "default" ? "" : " " + cut(edge.stream, 40, "11px"),
    path: svg("path.edge", { d: roundedPath(points) }, svg("title", null, title)),
    label: place === null ? null : svg("text.rate", { x: place[0] + PADDING, y: place[1] + PADDING + 4 }),
    box: { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys) - 10, bottom: Math.max(...ys) + 10 },
    shown: {},
  };
}

function newDetail(node) {
  const text = (x, y, end) => svg(end ? "text.end" : "text", { x, y });
  const right = node.width - 10;
  const detail = {
    rate: text(10, 39, false),
    executors: text(right, 39, true),
    busy: text(10, 55, false),
    waiting: text(right, 55, true),
    bar: svg("rect.bar", { x: 10, y: node.height - 11, height: 5, rx: 2.5, width: 0 }),
    pills: svg("g"),
  };
  detail.group = svg(
    "g.detail",
    null,
    svg("path.icon", { d: ICONS[node.kind] ?? ICONS.bolt, transform: "translate(9 8)" }),
    svg("text.name", { x: 29, y: 21 }, cut(node.id, node.width - 75, "600 13px")),
    svg("text.end.kind", { x: right, y: 21 }, node.kind),
    detail.rate,
    detail.executors,
    detail.busy,
    detail.waiting,
    svg("rect.track", { x: 10, y: node.height - 11, height: 5, rx: 2.5, width: node.width - 20 }),
    detail.bar,
    detail.pills,
  );
  return detail;
}

function newBrief(node) {
  const busy = svg("text", { x: node.width - 12, y: 58, class: "end" });
  const group = svg(
    "g.brief",
    null,
    svg("text.name", { x: 12, y: 30 }, cut(node.id, node.width - 24, "600 24px")),
    svg("path.icon", { d: ICONS[node.kind] ?? ICONS.bolt, transform: "translate(12 38) scale(1.6)" }),
    busy,
  );
  return { group, busy };
}

/** Marks stand on the upper edge of the card, from the right to the left, as many as fit. */
function drawPills(place, pills, width) {
  let right = width - 6;
  const drawn = [];
  for (const { level, text } of pills) {
    const size = measure(text, "600 10px") + 12;
    if (right - size < 4) {
      break;
    }
    drawn.push(svg("g.pill." + level, { transform: "translate(" + (right - size) + " -9)" }, svg("rect", { width: size, height: 16, rx: 8 }), svg("text", { x: size / 2, y: 12 }, text)));
    right -= size + 4;
  }
  replace(place, drawn);
}

function markers() {
  const marker = (id) =>
    svg("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0 0L10 5L0 10Z" }));
  return svg("defs", null, marker("arrow"), marker("arrow-held"));
}

const MOST_LETTERS = 500;

let pen = null;
let family = null;

function measure(text, font) {
  pen ??= document.createElement("canvas").getContext("2d");
  family ??= getComputedStyle(document.body).fontFamily;
  pen.font = font + " " + family;
  return pen.measureText(text).width;
}

/** Cuts a text to a width, with an ellipsis. No label is as long as the limit of its letters. */
function cut(whole, width, font) {
  const text = visible(whole.slice(0, MOST_LETTERS));
  if (measure(text, font) <= width) {
    return text;
  }
  const letters = Array.from(text);
  let fits = 0;
  let not = letters.length;
  while (not - fits > 1) {
    const middle = Math.floor((fits + not) / 2);
    measure(letters.slice(0, middle).join("") + "…", font) <= width ? (fits = middle) : (not = middle);
  }
  return letters.slice(0, fits).join("") + "…";
}
