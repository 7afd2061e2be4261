// The page of a pipeline: what is wrong, its figures, how far each partition is behind, bad and late records, and its text.

import { objects } from "./api.js";
import { h, replace, setLines, setText } from "./dom.js";
import { bytes, count, duration, plural, quantity, text, time } from "./format.js";
import { newTable } from "./table.js";

/** The figures of a pipeline: name, title, format. Others that the server sends are shown after these. */
const FIGURES = [
  ["recordsPerSecond", "Records/s", quantity],
  ["records", "Records", count],
  ["rows", "Rows", count],
  ["bad", "Bad records", count],
  ["late", "Late records", count],
  ["windows", "Windows", count],
  ["openWindows", "Open windows", count],
  ["groups", "Groups", count],
  ["openGroups", "Open groups", count],
  ["stateBytes", "State", bytes],
  ["bytes", "Read", bytes],
  ["spilledBytes", "Spilled", bytes],
  ["watermark", "Watermark", time],
  ["retries", "Retries", count],
  ["again", "Read again", count],
  ["overflows", "Overflows", count],
  ["alarms", "Alarms", count],
];

const WARNED = new Set(["bad", "late", "overflows", "alarms"]);

/** Draws into root; returns the function to call with each interval's answer. */
export function newPipeline(root) {
  const troubles = h("ul.remarks");
  const fine = h("p.good.fine", null, "✓ Nothing is wrong: the pipeline reports no trouble.");
  const figures = h("dl.totals");
  const lagPlace = h("div");
  const lagPanel = h("section.panel", null, h("h2", null, "Lag by partition"), lagPlace);
  const samples = h("section.panel", { hidden: true });
  const source = h("pre", { tabindex: 0 });
  const sourcePanel = h("section.panel", null, h("h2", null, "Pipeline"), source);
  replace(root, h("section.panel", null, h("h2", null, "What is wrong"), fine, troubles), h("section.panel", null, h("h2", null, "Figures"), figures), lagPanel, samples, sourcePanel);
  const values = new Map();
  let lags = null;
  return (live) => {
    const lines = [...(live.troubles ?? []), ...lagging(live.lagging), ...unusable(live.figures ?? {})];
    setLines(troubles, lines);
    fine.hidden = lines.length > 0;
    drawFigures(figures, values, live.figures ?? {});
    const rows = objects(live.lags);
    lagPanel.hidden = rows.length === 0;
    if (rows.length > 0) {
      lags ??= newLagTable(lagPlace);
      lags.update(rows);
    }
    drawSamples(samples, live.samples ?? []);
    sourcePanel.hidden = !live.text;
    setText(source, live.text ?? "");
  };
}

/** Records that no row has: a pipeline that goes on without them has no trouble, but its user may have. */
function unusable({ records, bad, late }) {
  return [
    bad > 0 ? count(bad) + " of " + plural(records, "record") + " cannot be used" : null,
    late > 0 ? plural(late, "record") + " came too late for " + (late === 1 ? "its window" : "their windows") : null,
  ].filter((line) => line !== null);
}

function lagging(partitions) {
  return partitions > 0 ? [partitions === 1 ? "1 partition lags" : count(partitions) + " partitions lag"] : [];
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

function drawFigures(list, values, figures) {
  const known = new Map(FIGURES.map(([name, title, format]) => [name, [title, format]]));
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

function drawSamples(section, samples) {
  section.hidden = samples.length === 0;
  const now = JSON.stringify(samples);
  if (section.dataset.shown === now) {
    return;
  }
  section.dataset.shown = now;
  const list = (kind, title) => {
    const texts = samples.filter((sample) => sample.kind === kind).map((sample) => sample.text);
    return texts.length === 0 ? [] : [h("h3", null, title), h("pre", { tabindex: 0 }, texts.join("\n"))];
  };
  replace(section, h("h2", null, "Samples of records"), list("bad", "Bad"), list("late", "Late"));
}
