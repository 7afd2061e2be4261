// One process: its figures, threads, memory, and the tools for it.

import { get } from "./api.js";
import { h, replace, setText } from "./dom.js";
import { actionButton } from "./dialogs.js";
import { topologyHref } from "./figures.js";
import { bytes, count, duration, percent, plural, text, time } from "./format.js";
import { message } from "./messages.js";
import { heapForm, logLevelForm, logPanel, profileForm, recordingForm, restartButton, threadDumpForm } from "./processactions.js";
import { heap, isWorker, newShares, title, workersOf } from "./processes.js";
import { panel } from "./rows.js";
import { PROCESS_FIGURES } from "./series.js";
import { deadlockPanel, reportText, threadView } from "./stacks.js";
import { timeline } from "./timeline.js";

const REFRESH_MILLIS = 2_000;
const HEAP_LIMIT_MILLIS = 1_800_000;

export async function show(root, [pid], context) {
  const shares = newShares();
  const find = async () => shares(((await get("processes")).processes ?? []).find((each) => String(each.pid) === pid) ?? {});
  const first = context.can("processes") ? await find() : {};
  const facts = h("dl.facts");
  const deadlock = h("div");
  const history = h("section.panel", { id: "timeline", "aria-label": "Timeline", hidden: true });
  const others = h("div", null, threadsPanel(pid, deadlock, context), tools(pid, first, context), memoryPanel(pid, context), logPanel(context, { process: pid }));
  const gone = h("p.soft", { role: "status", "data-pid": pid, hidden: true });
  replace(
    root,
    h("p.path", null, h("a", { href: "#/processes" }, "Processes")),
    h("h1", null, first.role || isWorker(first) ? title(first) : "process " + pid, " ", context.isCluster ? null : h("span.soft.plain", null, "process " + pid + (first.host ? " on " + first.host : ""))),
    facts,
    gone,
    deadlock,
    history,
    others,
  );
  if (context.can("processes")) {
    const draw = (now) => {
      (context.isCluster ? showWorker : showFacts)(facts, now);
      showEnd(gone, others, now, first, context);
    };
    draw(first);
    context.every(REFRESH_MILLIS, async () => {
      const now = await find();
      if (context.isOpen()) {
        draw(now);
      }
    });
    showTimeline(history, first, context).catch((e) => message(e.message, true));
  }
}

/** A process that has ended takes no orders and answers nothing: its page leads to what is known of the end. */
function showEnd(gone, others, now, first, context) {
  const ended = !now.pid;
  others.hidden = ended;
  if (ended === gone.hidden) {
    gone.hidden = !ended;
    const what = isWorker(first) ? title(first) : "The process";
    replace(gone, what + " does not run as process " + gone.dataset.pid + " any more. ", context.can("deaths") ? [h("a", { href: "#/deaths" }, "Deaths"), " says why it ended. "] : null, h("a", { href: "#/processes" }, "Processes"), " lists those that run.");
  }
}

/** A run records its local workers, each by its number, and itself in the totals of a topology without workers. */
async function showTimeline(root, process, context) {
  const own = process.pid === context.session.pid;
  if (context.session.kind === "cluster" || !context.can("history") || !(own || isWorker(process))) {
    return;
  }
  const { topologies } = await get("overview");
  const found = topologies.find(({ workers = [] }) => (own ? workers.length === 0 : workers.some((worker) => worker.pid === process.pid)));
  if (found && context.isOpen()) {
    timeline(root, context, found.name, null, own ? { figures: PROCESS_FIGURES } : { worker: process.worker });
  }
}

function showFacts(facts, process) {
  if (facts.childElementCount === 0) {
    for (const name of ["State", "Uptime", "Heap", "GC", "CPU", "Threads", "Restarts", "Last end"]) {
      facts.append(h("div", null, h("dt", null, name), h("dd")));
    }
  }
  const cells = [...facts.querySelectorAll("dd")];
  const [state, uptime, memory, gc, cpu, threads, restarts, lastEnd] = cells;
  setText(state, process.pid ? text(process.error ?? process.state) : "has ended");
  setText(uptime, duration(Number.isFinite(process.uptimeMillis) ? process.uptimeMillis / 1000 : null));
  memory.replaceChildren();
  heap(memory, process);
  setText(gc, percent(process.gcShare));
  setText(cpu, percent(process.cpuShare));
  setText(threads, count(process.threads));
  setText(restarts, count(process.restarts));
  setText(lastEnd, text(process.lastEnd));
  lastEnd.parentElement.hidden = !process.lastEnd;
}

/** What Nimbus knows of a worker. */
function showWorker(facts, worker) {
  const shown = [
    ["State", worker.pid ? text(worker.state) : "has no slot any more"],
    ["Topology", worker.topology ? h("a", { href: topologyHref(worker.topology) }, worker.topology) : "–"],
    ["Workers of", workersOf(worker)],
    ["Uptime", duration(Number.isFinite(worker.uptimeMillis) ? worker.uptimeMillis / 1000 : null)],
    ["Assigned memory", bytes(worker.assignedMemory)],
    ["Executors", count(worker.executors)],
    ["Components", text(worker.components?.join(", "))],
  ];
  if (facts.childElementCount === 0) {
    facts.append(...shown.map(([name]) => h("div", null, h("dt", null, name), h("dd"))));
  }
  // The link keeps the focus.
  const cells = [...facts.querySelectorAll("dd")];
  shown.forEach(([, value], i) => {
    if (typeof value === "string") {
      setText(cells[i], value);
    } else if (cells[i].textContent !== value.textContent) {
      replace(cells[i], value);
    }
  });
}

function threadsPanel(pid, deadlock, context) {
  if (!context.can("threads")) {
    return null;
  }
  const taken = h("span.soft", { role: "status" });
  const view = h("div");
  let report = null;
  const read = async () => {
    report = await get("threads", { process: pid });
    if (context.isOpen()) {
      setText(taken, plural(report.threads?.length ?? 0, "thread") + " at " + time(Date.now()));
      replace(deadlock, deadlockPanel(report));
      replace(view, threadView(report));
    }
  };
  const again = actionButton("Take a new dump", read);
  const download = actionButton("Download as text", async () => {
    if (report !== null) {
      save(reportText(report, "Threads of process " + pid + ", " + taken.textContent), "threads-" + pid + ".txt");
    }
  });
  const section = panel("Threads", h("div.inline", null, again, download, taken), view);
  read().catch((e) => setText(taken, e.message));
  return section;
}

function save(content, name) {
  const url = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function tools(pid, process, context) {
  const components = (process.components ?? []).map((id) => [id, id]);
  const parts = [
    context.isCluster
      ? recordingForm(context, pid)
      : profileForm(context, { process: pid }, "component", [["", "all threads"], ...components]),
    threadDumpForm(context, pid),
    logLevelForm(context, "ROOT", { process: pid }),
    heapForm(context, pid),
    isWorker(process) && context.can("restart-worker") ? h("div", null, h("h3", null, "Worker"), restartButton(pid, process.worker)) : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : panel("Tools", h("div.toolbox", null, parts));
}

function memoryPanel(pid, context) {
  if (!context.can("component-heap")) {
    return null;
  }
  const view = h("div");
  const read = actionButton("Estimate", async () => {
    const answer = await get("component-heap", { process: pid }, HEAP_LIMIT_MILLIS);
    const components = answer.components ?? (answer.topologies ?? []).flatMap((topology) => topology.components);
    const largest = [...components].sort((a, b) => (b.heldBytes ?? 0) - (a.heldBytes ?? 0));
    replace(view, largest.length === 0 ? h("p.soft", null, "No component of this process holds memory.") : h("ul.plainlist", null, largest.map(memoryEntry)));
  });
  return panel("Memory by component", h("p.soft", null, "What the objects of each component reach: an estimate, which takes a moment."), read, view);
}

function memoryEntry(component) {
  const waiting = [component.queued > 0 ? plural(component.queued, "tuple") + " queued" : null, component.inFlight > 0 ? plural(component.inFlight, "tree") + " in flight" : null];
  const fields = (component.tasks ?? []).flatMap((task) => (task.fields ?? []).map((field) => ({ task: task.task, ...field })));
  const summary = h("summary", null, h("strong", null, bytes(component.heldBytes)), " " + text(component.component) + " ", h("span.soft", null, waiting.filter((each) => each).join(", ")));
  const rows = fields
    .sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0))
    .map((field) => h("tr", null, h("td.n", null, bytes(field.bytes)), h("td.n", null, text(field.task)), h("td", null, text(field.field)), h("td.wrap", null, text(field.largest ?? field.class))));
  const head = h("thead", null, h("tr", null, ["Size", "Task"].map((name) => h("th.n", { scope: "col" }, name)), ["Field", "What it holds"].map((name) => h("th", { scope: "col" }, name))));
  return h("li", null, h("details", null, summary, rows.length === 0 ? h("p.soft", null, "no fields") : h("div.scroll", null, h("table", null, head, h("tbody", null, rows)))));
}
