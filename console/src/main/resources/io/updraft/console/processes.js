// The processes of the run.

import { get } from "./api.js";
import { h, replace } from "./dom.js";
import { topologyHref } from "./figures.js";
import { bytes, count, duration, percent, text } from "./format.js";
import { keyed, liveTable } from "./rows.js";

const REFRESH_MILLIS = 2_000;

export async function show(root, parameters, context) {
  const bad = h("ul.warnings", { "aria-label": "Processes that are not well", hidden: true });
  const table = liveTable(
    "Processes",
    context.isCluster ? workerColumns() : [
      { head: "Process", memo: (row) => [row.pid, row.role, row.worker], fill: name },
      { head: "PID", number: true, text: (row) => text(row.pid) },
      ...(context.session.kind === "cluster" ? [{ head: "Host", text: (row) => text(row.host) }] : []),
      { head: "State", memo: (row) => [row.state, row.error], fill: state },
      { head: "Restarts", number: true, text: (row) => count(row.restarts) },
      { head: "Heap", memo: (row) => [bytes(row.heapUsed), bytes(row.heapMax)], fill: heap },
      { head: "GC", number: true, title: "Share of time in garbage collections", text: (row) => percent(row.gcShare) },
      { head: "CPU", number: true, title: "CPU time per time; 200% are two cores", text: (row) => percent(row.cpuShare) },
      { head: "Threads", number: true, text: (row) => count(row.threads) },
      { head: "Uptime", number: true, text: (row) => duration(seconds(row.uptimeMillis)) },
      { head: "Components", wrap: true, text: (row) => text(row.components?.join(", ")) },
      { head: "Last end", wrap: true, text: (row) => text(row.lastEnd) },
    ],
    keyOf,
    context.isCluster ? "No worker has a slot." : "No process answers.",
  );
  replace(root, h("h1", null, "Processes"), bad, h("section.panel", { "aria-label": "Processes" }, table.element));
  const shares = newShares();
  const read = async () => {
    const rows = ((await get("processes")).processes ?? []).map(shares);
    if (!context.isOpen()) {
      return;
    }
    table.update(rows);
    const unwell = rows.filter((row) => row.error || isDown(row));
    bad.hidden = unwell.length === 0;
    keyed(bad, unwell, (row) => keyOf(row) + row.state + row.error, (row) => h("li", null, title(row) + ": " + (row.error ?? row.state) + (row.lastEnd ? ", " + row.lastEnd : "")));
  };
  context.every(REFRESH_MILLIS, read);
}

/** The columns of the workers of a Storm cluster: Nimbus does not know their heap and threads. */
function workerColumns() {
  return [
    { head: "Worker", memo: (row) => row.pid, fill: name },
    { head: "Topology", memo: (row) => row.topology, fill: (cell, row) => cell.append(h("a", { href: topologyHref(row.topology) }, row.topology)) },
    { head: "Workers of", text: workersOf },
    { head: "State", memo: (row) => [row.state, row.error], fill: state },
    { head: "Uptime", number: true, text: (row) => duration(seconds(row.uptimeMillis)) },
    { head: "Assigned memory", number: true, text: (row) => bytes(row.assignedMemory) },
    { head: "Executors", number: true, title: "With those of the system", text: (row) => count(row.executors) },
    { head: "Components", wrap: true, text: (row) => text(row.components?.join(", ")) },
  ];
}

/** Whose worker it is. */
export function workersOf(row) {
  return { storm: "Storm", updraft: "Updraft" }[row.workersOf] ?? text(row.workersOf);
}

export function processHref(pid) {
  return "#/process/" + encodeURIComponent(pid);
}

/** Returns a function that adds gcShare and cpuShare to a process, from its times in this answer and the one before. */
export function newShares() {
  const before = new Map();
  return (process) => {
    const key = keyOf(process);
    const last = before.get(key);
    before.set(key, process);
    const millis = last && last.pid === process.pid ? process.uptimeMillis - last.uptimeMillis : 0;
    const share = (figure) => (millis > 0 ? Math.max(0, (process[figure] - last[figure]) / millis) : null);
    return { ...process, gcShare: share("gcMillis"), cpuShare: share("cpuMillis") };
  };
}

function isDown(process) {
  return ["down", "silent", "stopped", "dead"].includes(String(process.state).toLowerCase());
}

/** Workers are numbered from 0. */
export function isWorker(process) {
  return process.worker !== undefined && process.worker !== null;
}

/** The name of a process: its worker or role. */
export function title(process) {
  return isWorker(process) ? "worker " + process.worker : text(process.role);
}

/** Fills a cell with a bar of the heap. */
export function heap(cell, row) {
  if (!Number.isFinite(row.heapUsed)) {
    cell.append("–");
    return;
  }
  const share = row.heapMax > 0 ? Math.min(1, row.heapUsed / row.heapMax) : 0;
  const fill = h(share > 0.9 ? "i.high" : "i");
  fill.style.width = share * 100 + "%";
  cell.append(h("span.meter", { "aria-hidden": "true" }, fill), " " + bytes(row.heapUsed) + " of " + bytes(row.heapMax));
}

function keyOf(row) {
  return [row.host, row.role, row.worker, isWorker(row) ? "" : row.pid].join("/");
}

function name(cell, row) {
  cell.append(row.pid ? h("a", { href: processHref(row.pid) }, title(row)) : title(row));
}

function state(cell, row) {
  const style = row.error || isDown(row) ? "span.bad" : ["running", "up"].includes(row.state) ? "span.good" : "span.warn";
  cell.append(h(style, { title: row.error }, row.error ? "no answer" : text(row.state)));
}

function seconds(millis) {
  return Number.isFinite(millis) ? millis / 1000 : null;
}
