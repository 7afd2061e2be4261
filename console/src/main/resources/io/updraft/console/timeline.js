// Plots of the history of a topology or of one of its components.

import { get } from "./api.js";
import { h, setText } from "./dom.js";
import { text, time } from "./format.js";
import { plotsOf } from "./series.js";
import { newPlot } from "./plot.js";
import { liveTable } from "./rows.js";

const REFRESH_MILLIS = 5_000;
const RANGES = [["5 min", 300, 1], ["15 min", 900, 5], ["1 h", 3600, 10]];

/**
 * Shows the plots in root, a section, and refreshes them until the page is left. Without a component those of the whole topology.
 * Options: worker, the number of a worker process whose plots are shown instead; figures, the keys of the only figures that are shown.
 */
export function timeline(root, context, topologyName, componentOrNull, { worker, figures } = {}) {
  root.hidden = !context.can("history");
  if (root.hidden) {
    return;
  }
  const cursorTime = h("span.soft");
  const status = h("p.soft", { role: "status" });
  const plots = h("div.plots");
  const moves = liveTable(
    "Moves",
    [
      { head: "Time", text: (move) => time(move.time) },
      { head: "Moved", text: (move) => text(move.subject) },
      { head: "From", text: (move) => text(move.from) },
      { head: "To", text: (move) => text(move.to) },
      { head: "Reason", wrap: true, text: (move) => text(move.reason) },
    ],
    (move) => move.time + move.subject + move.from + move.to,
  );
  const movesPart = h("div", { hidden: true }, h("h3", null, "Moves ", h("span.soft.plain", null, "(dashed lines in the plots)")), moves.element);
  let range = RANGES[0];
  let history = newHistory();
  let readAt = 0;
  const buttons = RANGES.map((each) =>
    h("button", { type: "button", "aria-pressed": String(each === range), onclick: () => choose(each) }, each[0]),
  );
  const head = h("div.timehead", null, h("h2", null, "Timeline"), h("div.choice", { role: "group", "aria-label": "Time shown" }, buttons), cursorTime);
  root.classList.add("timeline");
  root.append(head, status, plots, movesPart);

  const drawn = new Map();
  const draw = () => {
    const end = history.newest();
    const data = history.steps();
    setText(status, data.length === 0 ? "No figures of this time yet." : "");
    const shown = plotsOf(data, figures, context.isCluster);
    const from = Math.min(data.length === 0 ? 0 : data[0].at, end - range[1] + range[2]);
    shown.forEach((plot) => {
      if (!drawn.has(plot.title)) {
        drawn.set(plot.title, newPlot(plot, (at) => setText(cursorTime, at === null ? "" : "at " + time(at * 1000))));
      }
      drawn.get(plot.title).update(plot, data, { from, end, step: range[2], moves: history.moves() });
    });
    for (const [title, plot] of drawn) {
      if (!shown.some((each) => each.title === title)) {
        plot.remove();
        drawn.delete(title);
      }
    }
    shown.forEach((plot, i) => {
      const element = drawn.get(plot.title).element;
      if (plots.children[i] !== element) {
        plots.insertBefore(element, plots.children[i] ?? null);
      }
      drawn.get(plot.title).show();
    });
    movesPart.hidden = history.moves().length === 0;
    moves.update([...history.moves()].reverse());
  };

  const read = async () => {
    const asked = history;
    const [, seconds, step] = range;
    // A little more than is missing is read: the first step of an answer may be a part of a step.
    const began = Date.now();
    const missing = asked.newest() === 0 ? seconds : Math.min(seconds, Math.ceil((began - readAt) / 1000) + 3 * step);
    const args = { topology: topologyName, component: componentOrNull, worker, lastSeconds: missing, stepSeconds: step };
    let answer;
    try {
      answer = await get("history", args);
    } catch (e) {
      setText(status, e.message);
      return;
    }
    if (asked === history && context.isOpen()) {
      const found = (answer.topologies ?? []).find((topology) => topology.name === topologyName);
      readAt = began;
      asked.add(found ?? { steps: [], moves: [] }, seconds);
      draw();
    }
  };

  function choose(wanted) {
    range = wanted;
    history = newHistory();
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(RANGES[i] === wanted)));
    read();
  }

  const recolour = () => drawn.forEach((plot) => plot.recolour());
  const observer = new ResizeObserver(() => drawn.forEach((plot) => plot.resize()));
  observer.observe(plots);
  addEventListener("themechange", recolour);
  context.onLeave(() => {
    observer.disconnect();
    removeEventListener("themechange", recolour);
    drawn.forEach((plot) => plot.remove());
  });
  context.every(REFRESH_MILLIS, read);
}

/** Names a move, or a group of them: the same while the group grows. */
function groupOf(move) {
  return [move.time, move.subject.replace(/^\d+ executors of | \(\d+ times\)$|, task \d+/g, ""), move.reason].join("\n");
}

/** The steps read so far, each with its start in seconds as at. */
function newHistory() {
  let steps = [];
  let moves = [];
  return {
    steps: () => steps,
    moves: () => moves,
    newest: () => (steps.length === 0 ? 0 : steps[steps.length - 1].at),
    add(topology, seconds) {
      const read = topology.steps.map((step) => ({ ...step, at: Date.parse(step.time) / 1000 }));
      const whole = steps.length > 0 && read.length > 0 && steps.some((step) => step.at === read[0].at) ? read.slice(1) : read;
      const first = whole.length === 0 ? Infinity : whole[0].at;
      steps = steps.filter((step) => step.at < first).concat(whole);
      const oldest = this.newest() - seconds;
      steps = steps.filter((step) => step.at >= oldest);
      const known = new Map([...moves, ...(topology.moves ?? [])].map((move) => [groupOf(move), move]));
      moves = [...known.values()].filter((move) => Date.parse(move.time) / 1000 >= oldest);
    },
  };
}
