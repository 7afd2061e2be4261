// One component: what is stuck in it, its history, its executors, keys and errors, and the tools for it.

import { get, objects } from "./api.js";
import { h, replace, setLines, setText } from "./dom.js";
import { debugForm } from "./actions.js";
import { actionButton } from "./dialogs.js";
import { count, dateTime, percent, plural, quantity, text } from "./format.js";
import { logLevelForm, logPanel, profileForm } from "./processactions.js";
import { processHref, title } from "./processes.js";
import { keyed, liveTable, panel } from "./rows.js";
import { callList, deadlockPanel, stack, threadView } from "./stacks.js";
import { timeline } from "./timeline.js";

const rate = (column) => (row) => quantity(row[column]) + (Number.isFinite(row[column]) ? "/s" : "");
const total = (column) => (row) => quantity(row[column]);
const millis = (column) => (row) => (Number.isFinite(row[column]) ? quantity(row[column]) + " ms" : "–");

export async function show(root, [topology, id], context) {
  const first = await get("component", { topology, component: id });
  const view = newView(topology, id, first, await groupings(topology, id, context), context);
  replace(root, view.elements);
  timeline(view.history, context, topology, id);
  view.update(first);
  tools(view.tools, topology, id, first, context);
  context.every(1000, async () => {
    const answer = await get("component", { topology, component: id });
    if (context.isOpen()) {
      view.update(answer);
    }
  });
}

/** Returns how each input of a component is grouped, by component and stream; the graph says so, and stays as it is. */
async function groupings(topology, id, context) {
  const edges = context.can("graph") ? (await get("graph", { topology })).edges : [];
  const words = (edge) => edge.grouping + (edge.fields?.length > 0 ? " by " + edge.fields.join(", ") : "");
  return new Map(edges.filter((edge) => edge.to === id).map((edge) => [edge.from + "/" + edge.stream, words(edge)]));
}

function newView(topology, id, first, grouping, context) {
  const topologyPage = "#/topology/" + encodeURIComponent(topology);
  const componentPage = (other) => topologyPage + "/component/" + encodeURIComponent(other);
  const link = (column) => ({ memo: (row) => row[column], fill: (cell, row) => cell.append(hasPage(row[column]) ? h("a", { href: componentPage(row[column]), title: row[column] }, row[column]) : h("span", null, text(row[column]))) });
  // What the system sends, such as ticks, has no page.
  const hasPage = (component) => component && !component.startsWith("__");

  const stuckTitle = h("h2");
  const calls = callList();
  const stuck = h("section.panel.alert", { "aria-label": "Calls in progress", hidden: true }, stuckTitle, calls.element);
  const hot = h("ul.warnings", { "aria-label": "Hot keys", hidden: true });
  const history = h("section.panel", { "aria-label": "Timeline" });

  const executors = liveTable(
    "Executors",
    [
      { head: "Task", number: true, text: (row) => text(row.firstTask) },
      { head: "Worker", text: (row) => text(row.worker) },
      { head: "Emitted", number: true, text: rate("emittedPerSecond") },
      { head: "Executed", number: true, text: rate("executedPerSecond") },
      { head: "Acked", number: true, text: rate("ackedPerSecond") },
      { head: "Failed", number: true, text: rate("failedPerSecond") },
      { head: "Busy", number: true, text: (row) => percent(row.busy) },
      { head: "Executed in all", number: true, text: total("executed") },
      { head: "Failed in all", number: true, text: total("failed") },
    ],
    (row) => row.firstTask,
  );
  const keys = liveTable(
    "Keys",
    [
      { head: "Key", wrap: true, memo: (row) => [row.key, row.hot], fill: (cell, row) => cell.append(h("code.clamp", { title: row.key?.length > 30 ? row.key : null }, text(row.key)), ...(row.hot ? [" ", h("strong.warn", null, "hot")] : [])) },
      { head: "Share", number: true, text: (row) => percent(row.share) },
      { head: "Per second", number: true, text: rate("perSecond") },
      { head: "Task", number: true, text: (row) => text(row.task) },
      { head: "From", text: (row) => text(row.from) + (row.stream && row.stream !== "default" ? ":" + row.stream : "") },
      { head: "Grouped by", text: (row) => text(row.fields?.join?.(", ") ?? row.fields) },
    ],
    (row) => row.from + "/" + row.stream + "/" + row.key + "/" + row.task,
  );
  const inputs = liveTable(
    "Inputs",
    [
      { head: "From", ...link("component") },
      { head: "Stream", text: (row) => text(row.stream) },
      { head: "Grouping", text: (row) => text(grouping.get(row.component + "/" + row.stream)) },
      { head: "Executed", number: true, text: total("executed") },
      { head: "Acked", number: true, text: total("acked") },
      { head: "Failed", number: true, text: total("failed") },
      { head: "Execute", number: true, text: millis("executeMillis") },
      { head: "Process", number: true, text: millis("processMillis") },
    ],
    (row) => row.component + "/" + row.stream,
    "It has no inputs.",
  );
  const outputs = liveTable(
    "Outputs",
    [
      { head: "Stream", text: (row) => text(row.stream) },
      { head: "Emitted", number: true, text: total("emitted") },
      { head: "Transferred", number: true, text: total("transferred") },
      { head: "Acked", number: true, text: total("acked") },
      { head: "Failed", number: true, text: total("failed") },
      { head: "Complete", number: true, text: millis("completeMillis") },
    ],
    (row) => row.stream,
    "It has no outputs.",
  );
  const errors = h("ul.errors");
  const errorsTitle = h("h2");
  const errorsPart = h("section.panel", { "aria-label": "Errors" }, errorsTitle, errors);
  const keysPart = panel("Keys", keys.element);
  const inputsPart = panel("Inputs", inputs.element);
  const toolsPart = h("div");

  return {
    history,
    tools: toolsPart,
    elements: [
      h("p.path.clamp", null, h("a", { href: topologyPage, title: topology }, topology), " / component"),
      h("h1", { title: id }, id, " ", h("span.soft.plain", null, [first.kind, first.type].filter((part) => part).join(", "))),
      stuck,
      hot,
      errorsPart,
      history,
      panel("Executors", executors.element),
      h("div.columns", null, inputsPart, panel("Outputs", outputs.element)),
      keysPart,
      toolsPart,
      logPanel(context, { topology, component: id }),
    ],
    update(answer) {
      const now = answer.calls ?? [];
      stuck.hidden = now.length === 0;
      const deadlocked = now.filter((call) => call.deadlocked).length;
      setText(stuckTitle, deadlocked > 0 ? "Stuck: " + plural(deadlocked, "call") + " in a deadlock" : plural(now.length, "call") + " in progress");
      calls.update(now);
      setLines(hot, answer.hotKeys ?? []);
      executors.update(objects(answer.executors));
      keys.update([...(answer.keys ?? [])].sort((a, b) => (b.share ?? 0) - (a.share ?? 0)));
      keysPart.hidden = (answer.keys ?? []).length === 0;
      inputs.update(objects(answer.inputs));
      inputsPart.hidden = answer.kind === "spout";
      outputs.update(objects(answer.outputs));
      showErrors(answer.errors ?? []);
    },
  };

  function showErrors(list) {
    errorsPart.hidden = list.length === 0;
    setText(errorsTitle, "Newest errors");
    const newestFirst = [...list].sort((a, b) => Date.parse(b.time) - Date.parse(a.time));
    keyed(errors, newestFirst, (error) => [error.time, error.task, error.count, error.error].join("/"), errorEntry);
  }
}

function errorEntry(error) {
  const facts = [known(error.task) ? "task " + error.task : null, known(error.worker) ? "worker " + error.worker : null, error.during ? "in " + error.during : null, error.consequence];
  const times = error.count > 1 ? count(error.count) + " times, newest " : "";
  const head = [h("strong.bad.clamp", { title: text(error.error).length > 200 ? error.error : null }, text(error.error)), h("span.soft", null, " " + [times + dateTime(error.time), ...facts].filter((fact) => fact).join(", "))];
  return error.stack?.length > 0 ? h("li", null, h("details", null, h("summary", null, head), stack(error.stack))) : h("li", null, head);
}

function known(value) {
  return value !== undefined && value !== null;
}

/** The processes in which the component runs are asked for once: a flame graph and a thread dump are of one of them. */
async function tools(root, topology, id, first, context) {
  let processes = [];
  if (context.can("processes")) {
    try {
      processes = ((await get("processes")).processes ?? []).filter((process) => process.pid && process.components?.includes(id));
    } catch {
      // The tools that need a process are left out.
    }
  }
  if (!context.isOpen()) {
    return;
  }
  const choices = processes.map((process) => [process.pid, title(process) + " (" + process.pid + ")"]);
  const parts = [
    choices.length > 0 ? threadsTool(id, choices, context) : null,
    choices.length > 0 && !context.isCluster ? profileForm(context, { component: id }, "process", choices) : null,
    debugForm(context, topology, id) ? h("div", null, h("h3", null, "Debug sample"), debugForm(context, topology, id)) : null,
    logLevelForm(context, first.type ?? "ROOT", context.isCluster ? { topology } : {}),
  ].filter((part) => part !== null);
  if (parts.length > 0) {
    replace(root, panel("Tools", h("div.toolbox", null, parts)));
  }
}

function threadsTool(id, choices, context) {
  if (!context.can("threads")) {
    return null;
  }
  const shown = h("div");
  const buttons = choices.map(([pid, name]) =>
    h("span.inline", null, [
      actionButton("Show stacks" + (choices.length > 1 ? " in " + name : ""), async () => {
        const report = await get("threads", { process: pid });
        const own = (report.threads ?? []).filter((thread) => thread.component === id);
        const wanted = new Set(own.flatMap((thread) => [thread.id, thread.heldById]));
        replace(
          shown,
          deadlockPanel(report),
          h("p.soft", null, count(own.length) + " of " + plural(report.threads?.length ?? 0, "thread") + " of process " + pid + " belong to " + id),
          threadView({ ...report, threads: (report.threads ?? []).filter((thread) => wanted.has(thread.id)) }),
        );
      }),
      h("a", { href: processHref(pid) }, "process " + pid),
    ]),
  );
  return h("div.wide", null, h("h3", null, "Threads"), h("div.inline", null, buttons), shown);
}
