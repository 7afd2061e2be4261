// Stacks, calls in progress and thread dumps.

import { h, replace, setText } from "./dom.js";
import { count, duration, plural, text } from "./format.js";
import { field } from "./dialogs.js";
import { keyed } from "./rows.js";

/** Packages of the runtime and the engine: their frames are drawn softly, so that those of the user's code are seen. */
const RUNTIME = /^(?:[\w.]+@?[\w.]*\/)?(java|javax|jdk|sun|com\.sun|io\.updraft\.(?!examples|cli\.programs)\w+|org\.apache\.storm)\./;

/** So many calls are shown with their stacks open. */
const OPEN_STACKS = 4;

/** Makes a stack of lines, innermost call first. */
export function stack(lines) {
  if (!lines || lines.length === 0) {
    return h("p.soft", null, "no stack");
  }
  const shown = h("pre.stack", { tabindex: "0", role: "group", "aria-label": "Stack" });
  fill(shown, lines);
  return shown;
}

function fill(shown, lines) {
  // "app//" is the class loader of programs: it says nothing.
  const short = lines.map((line) => line.replace(/^app\/\//, ""));
  replace(shown, short.map((line) => h(RUNTIME.test(line) ? "span.soft" : "span", null, line + "\n")));
}

/** Makes a list of calls in progress, which keeps its open stacks when it is updated. */
export function callList() {
  const list = h("ul.calls");
  let shown = 0;
  const create = () => {
    const head = h("p.call");
    return h("li", null, head, h("details", { open: shown <= OPEN_STACKS }, h("summary", null, "Stack"), stack([" "])));
  };
  const update = (item, call) => {
    item.className = call.deadlocked ? "deadlocked" : "";
    const [head, details] = item.children;
    const words = [call.component + " task " + text(call.task) + ", " + text(call.method) + "()", duration(call.seconds), call.activity].join("\n");
    if (head.dataset.words !== words + call.deadlocked) {
      head.dataset.words = words + call.deadlocked;
      replace(
        head,
        call.deadlocked ? h("strong.deadlock", null, "DEADLOCK") : null,
        h("strong", null, call.component + " task " + text(call.task)),
        " in " + text(call.method) + "() for ",
        h("strong", null, duration(call.seconds)),
        call.place ? [" at ", h("code", null, call.place)] : null,
        call.activity ? ": " + call.activity : null,
        call.thread ? h("span.soft", null, " (thread " + call.thread + ")") : null,
      );
    }
    const lines = (call.stack ?? []).join("\n");
    details.hidden = lines === "";
    if (details.dataset.stack !== lines) {
      details.dataset.stack = lines;
      fill(details.lastChild, call.stack);
    }
  };
  return {
    element: list,
    update(calls) {
      const sorted = [...calls].sort((a, b) => Boolean(b.deadlocked) - Boolean(a.deadlocked) || (b.seconds ?? 0) - (a.seconds ?? 0));
      shown = calls.length;
      keyed(list, sorted, (call) => call.component + "/" + call.task + "/" + call.thread, create, update);
    },
  };
}

/** Says the deadlocks of a process in words, one list of sentences for each cycle. */
function deadlockSentences(report) {
  const byId = new Map((report.threads ?? []).map((thread) => [thread.id, thread]));
  const open = new Set(report.deadlocked ?? []);
  const cycles = [];
  for (const first of report.deadlocked ?? []) {
    const sentences = [];
    let id = first;
    while (open.has(id)) {
      open.delete(id);
      const thread = byId.get(id);
      if (thread === undefined) {
        sentences.push("Thread " + id + " is in the deadlock; it is not in this dump.");
        break;
      }
      const holder = byId.get(thread.heldById);
      sentences.push(who(thread) + " waits for " + text(thread.waitsFor) + " held by " + (holder ? who(holder) : text(thread.heldBy)) + ".");
      id = thread.heldById;
    }
    if (sentences.length > 0) {
      cycles.push(sentences);
    }
  }
  return cycles;
}

function who(thread) {
  return thread.component ? thread.component + (thread.task === undefined || thread.task === null ? "" : " task " + thread.task) + " ('" + thread.name + "')" : "'" + thread.name + "'";
}

function headline(thread) {
  const call = thread.method && thread.seconds >= 1 ? " in " + thread.method + "() of task " + text(thread.task) + " for " + duration(thread.seconds) : "";
  const waits = thread.waitsFor ? ", waits for " + thread.waitsFor + (thread.heldBy ? " held by '" + thread.heldBy + "'" : "") : "";
  return text(thread.state) + (thread.native ? " in native code" : "") + call + waits;
}

/** Writes a report as text, for a file. */
export function reportText(report, title) {
  const deadlocks = deadlockSentences(report).flatMap((cycle) => ["DEADLOCK:", ...cycle.map((line) => "  " + line), ""]);
  const threads = (report.threads ?? []).flatMap((thread) => [
    (thread.component ? thread.component + ": " : "") + "'" + thread.name + "' (id " + thread.id + ") " + headline(thread),
    ...(thread.stack ?? []).map((line) => "    " + line),
    "",
  ]);
  return [title, "", ...deadlocks, ...threads].join("\n");
}

/** Makes the panel of a deadlock; null when there is none. */
export function deadlockPanel(report) {
  const cycles = deadlockSentences(report);
  if (cycles.length === 0) {
    return null;
  }
  return h(
    "section.panel.alert",
    { role: "alert" },
    h("h2", null, "Deadlock: " + plural(report.deadlocked.length, "thread") + " wait for each other"),
    cycles.map((cycle) => h("ol", null, cycle.map((line) => h("li", null, line)))),
  );
}

/** Makes the view of a thread dump: a filter, and the threads in groups. */
export function threadView(report) {
  const threads = report.threads ?? [];
  const deadlocked = new Set(report.deadlocked ?? []);
  const components = [...new Set(threads.map((thread) => thread.component).filter((id) => id))].sort();
  const states = [...new Set(threads.map((thread) => thread.state).filter((state) => state))].sort();
  const component = field("component", "Component", null, [["", "all threads"], ["*", "of components"], ...components.map((id) => [id, id])]);
  const state = field("state", "State", null, [["", "any"], ...states.map((each) => [each, each])]);
  const words = field("text", "Name or stack contains", { type: "search", size: 24 });
  const shown = h("span.soft", { role: "status" });
  const list = h("div.groups");
  const bar = h("div.inline", { role: "search", "aria-label": "Filter of threads" }, component, state, words, shown);
  const draw = () => {
    const wanted = component.lastChild.value;
    const text = words.lastChild.value.toLowerCase();
    const chosen = threads.filter(
      (thread) =>
        (wanted === "" || (wanted === "*" ? thread.component : thread.component === wanted)) &&
        (state.lastChild.value === "" || thread.state === state.lastChild.value) &&
        (text === "" || thread.name.toLowerCase().includes(text) || (thread.stack ?? []).some((line) => line.toLowerCase().includes(text))),
    );
    setText(shown, count(chosen.length) + " of " + plural(threads.length, "thread"));
    const narrow = wanted !== "" || text !== "" || state.lastChild.value !== "";
    replace(list, groups(chosen, deadlocked).map(([name, members]) => group(name, members, deadlocked, narrow && chosen.length <= 20)));
  };
  bar.addEventListener("input", draw);
  draw();
  return h("div", null, bar, list);
}

/** Returns [name, threads]: groups with a deadlock, those of components, then the others by their name without numbers. */
function groups(threads, deadlocked) {
  const all = new Map();
  for (const thread of threads) {
    const name = thread.component ? "component " + thread.component : thread.name.replace(/\d+/g, "*");
    all.set(name, [...(all.get(name) ?? []), thread]);
  }
  const rank = ([, members]) => (members.some((thread) => deadlocked.has(thread.id)) ? 0 : members[0].component ? 1 : 2);
  return [...all].sort((a, b) => rank(a) - rank(b) || a[0].localeCompare(b[0]));
}

function group(name, members, deadlocked, open) {
  const states = new Map();
  members.forEach((thread) => states.set(thread.state, (states.get(thread.state) ?? 0) + 1));
  const dead = members.filter((thread) => deadlocked.has(thread.id)).length;
  const summary = h(
    "summary",
    null,
    dead > 0 ? h("strong.deadlock", null, "DEADLOCK") : null,
    h("strong", null, name),
    h("span.soft", null, " " + plural(members.length, "thread") + ": " + [...states].map(([state, number]) => number + " " + state).join(", ")),
  );
  const details = h("details.group", null, summary);
  const addThreads = () => {
    if (details.open && details.childElementCount === 1) {
      details.append(...sameStacks(members, deadlocked).map((same) => threadEntry(same, deadlocked, deadlocked.has(same[0].id) || members.length === 1)));
    }
  };
  details.addEventListener("toggle", addThreads);
  details.open = open || dead > 0;
  addThreads();
  return details;
}

/** Puts threads with the same state and stack together; those in a deadlock come first, then the most. */
function sameStacks(threads, deadlocked) {
  const all = new Map();
  for (const thread of threads) {
    const key = [thread.state, thread.waitsFor && thread.heldBy ? thread.id : "", ...(thread.stack ?? [])].join("\n");
    all.set(key, [...(all.get(key) ?? []), thread]);
  }
  return [...all.values()].sort((a, b) => deadlocked.has(b[0].id) - deadlocked.has(a[0].id) || b.length - a.length);
}

function threadEntry(same, deadlocked, open) {
  const first = same[0];
  const names = same.length === 1 ? first.name : plural(same.length, "thread") + " with the same stack: " + same.map((thread) => thread.name).join(", ");
  return h(
    "details.thread",
    { open },
    h("summary", null, deadlocked.has(first.id) ? h("strong.deadlock", null, "DEADLOCK") : null, h("span.name", null, names), " ", h("span.soft", null, headline(first))),
    stack(first.stack),
  );
}
