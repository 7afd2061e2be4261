// Which figures of a history are drawn in which plot, in which order, and how they are written.

import { bytes, nanos, percent, quantity } from "./format.js";

const PER_SECOND = (value) => quantity(value) + (Number.isFinite(value) ? "/s" : "");
const PLAIN = (value) => quantity(value);

/** Distances between marks of an axis of bytes. */
const POWERS_OF_TWO = Array.from({ length: 50 }, (_, power) => 2 ** power);

/** A plot: title, format of its values, series as [key, label]. events: counts in a step, drawn as bars, only if there are some. */
const PLOTS = [
  {
    title: "Tuples",
    format: PER_SECOND,
    series: [
      ["spoutEmittedPerSecond", "spouts emitted"],
      ["emittedPerSecond", "emitted", "spoutEmittedPerSecond"],
      ["executedPerSecond", "executed"],
      ["completedPerSecond", "trees completed"],
      ["ackedPerSecond", "acked", "completedPerSecond"],
      ["failedTreesPerSecond", "trees failed"],
      ["failedPerSecond", "failed", "failedTreesPerSecond"],
    ],
  },
  {
    title: "Records",
    format: PER_SECOND,
    series: [["recordsPerSecond", "records"], ["rowsPerSecond", "rows"], ["groupsPerSecond", "groups"], ["deliveredPerSecond", "delivered"]],
  },
  {
    title: "Latency",
    format: nanos,
    log: true,
    series: [["executeP50Nanos", "execute p50"], ["executeP99Nanos", "execute p99"], ["completeP50Nanos", "complete p50"], ["completeP99Nanos", "complete p99"]],
  },
  {
    title: "Busy",
    format: percent,
    atLeast: 1,
    series: [["busy", "busy"], ["busiestShare", "busiest component"], ["loop1", "loop 1"], ["loop2", "loop 2"], ["loop3", "loop 3"], ["loopMost", "busiest loop"], ["loopMean", "mean of loops"]],
  },
  { title: "Waiting", format: PLAIN, series: [["queued", "queued"], ["inFlight", "in flight"], ["waitingRecords", "records waiting"]] },
  { title: "Lag, records", format: PLAIN, series: lags("Records") },
  { title: "Lag, bytes", format: bytes, incrs: POWERS_OF_TWO, series: lags("Bytes") },
  { title: "State", format: PLAIN, series: [["openWindows", "open windows"], ["openGroups", "open groups"]] },
  {
    title: "Errors and restarts",
    format: PLAIN,
    events: true,
    series: [["errors", "errors"], ["restarts", "restarts"], ["timedOut", "timed out"], ["deadLettered", "dead letters"]],
  },
  {
    title: "Trouble",
    format: PLAIN,
    events: true,
    series: [["badRecords", "rejected records"], ["lateRows", "late rows"], ["duplicateRows", "duplicate rows"], ["writeRetries", "write retries"], ["alarms", "alarms"]],
  },
  { title: "Memory", format: bytes, incrs: POWERS_OF_TWO, series: [["heapUsedBytes", "heap used"], ["stateBytes", "state"]] },
  { title: "CPU", format: (value) => quantity(value) + (Number.isFinite(value) ? " cores" : ""), series: [["cpuCores", "process"]] },
  { title: "Garbage collection", format: percent, series: [["gcShare", "share of time"]] },
];

function lags(unit) {
  return [0, 1, 2, 3].map((source) => ["source" + source + "Lag" + unit, "source " + source]);
}

/** The figures of a process. */
export const PROCESS_FIGURES = ["heapUsedBytes", "cpuCores", "gcShare"];

const SHOWN_LOOPS = 3;

/**
 * Returns the plots of which the steps have figures: {title, format, log, events, atLeast, series: [{key, label, value(step)}]}. Keys
 * restrict them to some figures. A cluster has means in the place of medians.
 */
export function plotsOf(steps, keys, isCluster) {
  const has = (key) => (keys?.includes(key) ?? true) && steps.some((step) => value(step, key) !== null);
  const happened = (key) => has(key) && steps.some((step) => value(step, key) > 0);
  return PLOTS.map((plot) => ({
    ...plot,
    series: plot.series
      .filter(([key, , unless]) => (plot.events ? happened(key) : has(key) && !(unless && has(unless))))
      .slice(0, 4)
      .map(([key, label]) => ({ key, label: isCluster ? label.replace("p50", "mean") : label, value: (step) => value(step, key) })),
  })).filter((plot) => plot.series.length > 0);
}

function value(step, key) {
  const found = key.startsWith("loop") ? loop(step.loopBusy ?? [], key) : step[key];
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

/** A few loops are drawn one by one, many as the busiest and the mean. */
function loop(shares, key) {
  const few = shares.length <= SHOWN_LOOPS;
  if (shares.length === 0) {
    return null;
  }
  switch (key) {
    case "loopMost":
      return few ? null : Math.max(...shares);
    case "loopMean":
      return few ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length;
    default:
      return few ? shares[Number(key.slice(4)) - 1] : null;
  }
}
