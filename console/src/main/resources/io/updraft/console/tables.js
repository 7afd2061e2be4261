// The tables of components and of streams: the graph as text.

import { h, replace } from "./dom.js";
import { componentHref, edgeKey } from "./figures.js";
import { nanos, percent, quantity, text } from "./format.js";
import { newTable } from "./table.js";

/** Draws into root; returns {update(figures)}. */
export function newComponentTable(root, topology, context) {
  let figures;
  let table = null;
  const middle = context.isCluster ? ["mean", ", mean of ten minutes"] : ["p50", ", median"];
  const id = (row) => figures.value(row, "id");
  const number = (column, name, title, format, width = 80) => ({
    figure: column,
    name,
    title,
    width,
    numeric: true,
    value: (row) => figures.value(row, column),
    draw: (row) => format(figures.value(row, column)),
  });
  const urgency = (row) => figures.marks(id(row)).reduce((sum, mark) => sum + (mark.level === "bad" ? 10 : 1), figures.value(row, "throttled") ? 1 : 0);
  const make = () => newTable(root, {
    label: "components",
    key: id,
    text: id,
    columns: [
      { name: "Name", width: 136, value: id, fill: (cell, row) => fillName(cell, topology, id(row)) },
      { name: "Marks", title: "What is wrong with the component", width: 128, value: (row) => -urgency(row), fill: (cell, row) => fillMarks(cell, figures, row) },
      { name: "Kind", width: 56, value: (row) => figures.value(row, "kind"), draw: (row) => text(figures.value(row, "kind")) },
      {
        ...number("executors", "Exec/tasks", "Executors and tasks", quantity, 88),
        draw: (row) => quantity(figures.value(row, "executors")) + "/" + quantity(figures.value(row, "tasks")),
      },
      number("emittedPerSecond", "Emitted/s", "Tuples emitted a second", quantity, 78),
      number("executedPerSecond", "Executed/s", "Tuples executed a second", quantity, 88),
      number("ackedPerSecond", "Acked/s", "Tuples acked a second; of a spout, tuple trees completed", quantity, 64),
      number("failedPerSecond", "Failed/s", "Tuples failed a second", quantity, 72),
      number("busy", "Busy", "Share of the time in which its executors are busy", percent, 50),
      number("waiting", "Waiting", "Tuples queued; of a spout, tuple trees in flight", quantity, 68),
      number("executeP50Nanos", "Exec " + middle[0], "Execute latency" + middle[1], nanos, 76),
      number("executeP99Nanos", "Exec p99", "Execute latency, 99th percentile", nanos, 76),
      ...(context.isCluster ? [number("completeP50Nanos", "Complete mean", "Complete latency of tuple trees, mean of ten minutes", nanos, 112)] : []),
      number("completeP99Nanos", "Compl. p99", "Complete latency of tuple trees, 99th percentile", nanos, 92),
      number("errors", "Errors", "Errors since the start", quantity, 60),
      number("restarts", "Restarts", "Restarts of instances since the start", quantity, 74),
    ].filter((column) => !column.figure || figures.has(column.figure)),
  });
  return {
    update(now) {
      figures = now;
      table ??= make();
      table.update(now.rows);
    },
  };
}

function fillName(cell, topology, id) {
  if (cell.firstChild === null) {
    cell.append(h("a", { href: componentHref(topology, id), title: id }, id));
  }
}

function fillMarks(cell, figures, row) {
  const held = figures.value(row, "throttled") ? [{ level: "held", text: "held back" }] : [];
  // The number of errors has a column of its own.
  const marks = [...figures.marks(figures.value(row, "id")).filter((mark) => !mark.errors), ...held];
  const now = marks.map((mark) => mark.text).join(", ");
  if (cell.title !== now) {
    cell.title = now;
    replace(cell, marks.map((mark) => h("span.mark." + mark.level, null, mark.text)));
  }
}

/** Draws into root; returns {setGraph(graph), update(figures)}. */
export function newStreamTable(root, topology) {
  let figures = null;
  let edges = [];
  let table = null;
  const key = (edge) => edgeKey(edge.from, edge.stream, edge.to);
  const of = (edge, column) => figures.edge(key(edge), column);
  const component = (name, column) => ({ name, width: 200, value: (edge) => edge[column], fill: (cell, edge) => fillName(cell, topology, edge[column]) });
  const plain = (name, value, width) => ({ name, width, value, draw: (edge) => text(value(edge)) });
  const make = () =>
    newTable(root, {
      label: "streams",
      key,
      text: (edge) => edge.from + " " + edge.stream + " " + edge.to,
      columns: [
        component("From", "from"),
        plain("Stream", (edge) => edge.stream, 140),
        component("To", "to"),
        plain("Grouping", (edge) => edge.grouping, 120),
        plain("Fields", (edge) => (edge.fields ?? []).join(", "), 160),
        { name: "Tuples/s", width: 90, numeric: true, value: (edge) => of(edge, "perSecond"), draw: (edge) => quantity(of(edge, "perSecond")) },
        { name: "Back-pressure", width: 120, value: (edge) => (of(edge, "backPressured") ? 0 : 1), draw: (edge) => (of(edge, "backPressured") ? "held back" : "") },
      ],
    });
  const draw = () => {
    if (figures !== null) {
      table ??= make();
      table.update(edges);
    }
  };
  return {
    setGraph(graph) {
      edges = graph.edges;
      if (table !== null) {
        draw();
      }
    },
    update(now) {
      figures = now;
      draw();
    },
  };
}
