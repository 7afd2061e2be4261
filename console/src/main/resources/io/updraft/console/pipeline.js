// The page of a pipeline: what is wrong, its figures, how far each partition is behind in records and in time, samples of
// rejected records, and its text.

import { objects } from "./api.js";
import { h, replace, setText } from "./dom.js";
import { bytes, count, duration, quantity, text, time } from "./format.js";
import { newRemarks, NOTHING_IN_PIPELINE } from "./remarks.js";
import { liveTable, panel } from "./rows.js";
import { newTable } from "./table.js";

/** The figures of a pipeline: name, title, format. Others that the server sends are shown after these. */
const FIGURES = [
  ["recordsPerSecond", "Records/s", quantity],
  ["rowsPerSecond", "Rows/s", quantity],
  ["records", "Records", count],
  ["rows", "Rows", count],
  ["rejected", "Rejected records", count],
  ["late", "Late rows", count],
  ["windows", "Windows", count],
  ["openWindows", "Open windows", count],
  ["groups", "Groups", count],
  ["openGroups", "Open groups", count],
  ["groupLimit", "Limit of open groups", count],
  ["stateBytes", "Memory of open windows", bytes],
  ["stateLimitBytes", "Limit of this memory", bytes],
  ["spilledBytes", "Spilled", bytes],
  ["bytes", "Read", bytes],
  ["retries", "Retries", count],
  ["again", "Read again", count],
  ["overflows", "Overflows", count],
  ["alarms", "Alarms", count],
];

/** How far the time of the data has come: name, title, format. */
const TIMES = [
  ["watermark", "Watermark", time],
  ["slowest", "Set by", text],
  ["completeUntil", "Complete until", time],
  ["latest", "Latest row", time],
];

const KINDS = { rejected: "rejected record", late: "late row", overflow: "overflowed group" };

const WARNED = new Set(["rejected", "late", "overflows", "alarms"]);

/** Draws into root, with others' elements below what is wrong; returns the function to call with each interval's answer. */
export function newPipeline(root, name, others) {
  const remarks = h("section.panel");
  const drawRemarks = newRemarks(remarks, name, NOTHING_IN_PIPELINE);
  const figures = h("dl.totals");
  const lagPlace = h("div");
  const lagPanel = h("section.panel", null, h("h2", null, "Lag by partition"), lagPlace);
  const times = newTimes();
  const samples = newSamples();
  const source = h("pre", { tabindex: 0 });
  const sourcePanel = h("section.panel", null, h("h2", null, "Pipeline"), source);
  replace(root, remarks, others, h("section.panel", null, h("h2", null, "Figures"), figures), times.element, lagPanel, samples.element, sourcePanel);
  const values = new Map();
  let lags = null;
  return (live) => {
    drawRemarks(live);
    drawFigures(figures, values, FIGURES, live.figures ?? {});
    times.update(live.watermark ?? {});
    const rows = objects(live.lags);
    lagPanel.hidden = rows.length === 0;
    if (rows.length > 0) {
      lags ??= newLagTable(lagPlace);
      lags.update(rows);
    }
    samples.update(objects(live.samples));
    sourcePanel.hidden = !live.text;
    setText(source, live.text ?? "");
  };
}

function newLagTable(root) {
  const number = (name, column, width, format) => ({ name, width, numeric: true, value: (row) => row[column] ?? null, draw: (row) => format(row[column]) });
  return newTable(root, {
    label: "partitions",
    key: (row) => row.partition,
    text: (row) => String(row.partition),
    columns: [
      { name: "Partition", width: 220, value: (row) => row.partition, draw: (row) => text(row.partition) },
      number("Records behind", "records", 140, count),
      number("Time behind", "behindSeconds", 120, duration),
      { name: "Holds the window until", width: 200, value: (row) => row.holdsWindowUntil ?? null, draw: (row) => (row.holdsWindowUntil ? time(row.holdsWindowUntil) : "") },
    ],
  });
}

/** The watermark, and the partitions with the earliest times. */
function newTimes() {
  const list = h("dl.totals");
  const values = new Map();
  let latest = NaN;
  const behind = (row) => (row.latest ? (latest - Date.parse(row.latest)) / 1000 : null);
  const partitions = liveTable(
    "partitions with the earliest times",
    [
      { head: "Partition", text: (row) => text(row.partition) },
      { head: "Latest row", number: true, text: (row) => time(row.latest) },
      { head: "Behind the latest", number: true, text: (row) => duration(behind(row)) },
    ],
    (row) => row.partition,
  );
  const more = h("p.soft");
  const element = panel("Time of the data", list, partitions.element, more);
  return {
    element,
    update(now) {
      const rows = objects(now.partitions);
      element.hidden = rows.length === 0 && !now.latest;
      latest = Date.parse(now.latest ?? "");
      drawFigures(list, values, TIMES, Object.fromEntries(TIMES.map(([name]) => [name, now[name] ?? null])));
      partitions.update(rows);
      more.hidden = !(now.morePartitions > 0);
      setText(more, "... and " + count(now.morePartitions) + " more");
    },
  };
}

function drawFigures(list, values, order, figures) {
  const known = new Map(order.map(([name, title, format]) => [name, [title, format]]));
  const names = [...known.keys()].filter((name) => name in figures).concat(Object.keys(figures).filter((name) => !known.has(name)));
  for (const name of names) {
    const [title, format] = known.get(name) ?? [name, (value) => (typeof value === "number" ? quantity(value) : text(value))];
    let shown = values.get(name);
    if (!shown) {
      shown = h("dd");
      values.set(name, shown);
      list.append(h("div", null, h("dt", null, title), shown));
    }
    setText(shown, format(figures[name]));
    shown.classList.toggle("warn", WARNED.has(name) && figures[name] > 0);
  }
}

/** The newest rejected records: a few of many. */
function newSamples() {
  const table = liveTable(
    "samples of rejected and late records",
    [
      { head: "Time", text: (row) => time(row.time) },
      { head: "Kind", text: (row) => KINDS[row.kind] ?? text(row.kind) },
      { head: "Place", wrap: true, text: (row) => text(row.place) },
      { head: "Reason", wrap: true, text: (row) => text(row.reason) },
      { head: "Record", wrap: true, text: (row) => text(row.record) },
    ],
    (row) => [row.kind, row.time, row.place, row.reason, row.record].join("\n"),
  );
  const element = panel("Bad and late records, the newest of each kind", table.element);
  return {
    element,
    update(rows) {
      element.hidden = rows.length === 0;
      table.update(rows);
    },
  };
}
