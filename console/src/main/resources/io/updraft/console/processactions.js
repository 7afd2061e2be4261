// What can be done to a process: flame graph, heap dump, log level, restart, and reading its log.

import { get, post } from "./api.js";
import { h, replace, setText } from "./dom.js";
import { actionButton, field, inlineForm, openDialog, tell } from "./dialogs.js";
import { bytes, nanos, plural } from "./format.js";
import { message } from "./messages.js";
import { panel } from "./rows.js";

const EVENTS = [["cpu", "CPU"], ["wall", "wall clock"], ["alloc", "allocation"], ["lock", "locks"]];
const LEVELS = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"].map((level) => [level, level]);

/** Makes the links to a file that the console has made. */
export function fileLinks(file) {
  return h(
    "span.links",
    null,
    file.view ? h("a", { href: file.view, target: "_blank", rel: "noopener" }, "View", h("span.hide", null, " " + file.name + " in a new tab")) : null,
    h("a", { href: file.download, download: file.name ?? true }, "Download", h("span.hide", null, " " + file.name)),
  );
}

/** How much is in a flame graph: samples, allocated bytes, or time in locks. */
function sampled({ total, unit }) {
  return total >= 0 ? ({ bytes, ns: nanos }[unit] ?? ((samples) => plural(samples, "sample")))(total) : null;
}

function finished(list, file) {
  if (!file.name) {
    // The file is on another host; the message says where.
    return;
  }
  const facts = [sampled(file), bytes(file.bytes), file.fallback];
  list.prepend(h("li", null, h("code", null, file.name), " ", h("span.soft", null, facts.filter((fact) => fact && fact !== "–").join(", ")), " ", fileLinks(file)));
}

/**
 * Makes the form that records a flame graph. With choices ([[value, text]]) the user chooses the component or process, under
 * the name of choice; fixed are the other arguments.
 */
export function profileForm(context, fixed, choice = null, choices = []) {
  if (!context.can("profile")) {
    return null;
  }
  const progress = h("span.soft", { role: "status" });
  const made = h("ul.made");
  const parts = [
    field("event", "Event", null, EVENTS),
    field("seconds", "Seconds", { type: "number", min: 1, max: 600, value: 10, required: true }),
    choice === null ? null : field(choice, choice === "process" ? "Process" : "Threads of", null, choices),
  ];
  const form = inlineForm("Flame graph", parts, "Record", async ({ event, seconds, ...chosen }) => {
    const began = Date.now();
    const show = () => setText(progress, "recording, " + Math.min(seconds, Math.round((Date.now() - began) / 1000)) + " of " + seconds + " s");
    const timer = setInterval(show, 1000);
    show();
    try {
      const args = Object.fromEntries(Object.entries({ ...fixed, ...chosen }).filter(([, value]) => value !== ""));
      const answer = await post("profile", { ...args, event, millis: seconds * 1000 }, seconds * 1000 + 60_000);
      if (answer.download) {
        finished(made, answer);
      }
      const only = answer.endedAfterMillis == null ? "" : ", only of " + answer.endedAfterMillis / 1000 + " s: the process has ended";
      message(answer.message ?? (answer.download ? "flame graph " + answer.name + " is written" + only : "nothing was seen in " + seconds + " s; record for longer, or another event"));
    } finally {
      clearInterval(timer);
      setText(progress, "");
    }
  });
  return h("div", null, h("h3", null, "Flame graph"), form, progress, made);
}

/** Makes the button for a heap dump. */
export function heapForm(context, process) {
  if (!context.can("heap")) {
    return null;
  }
  const made = h("ul.made");
  const open = h("button", { type: "button" }, "Heap dump");
  open.addEventListener("click", () =>
    openDialog(open, {
      title: "Heap dump of process " + process,
      content: h("p", null, "The process stands still for some seconds while the dump is written, and the file is about as large as the used heap. It contains the data that the process works on."),
      submit: "Write heap dump",
      async work() {
        const answer = await post("heap", { process }, 600_000);
        finished(made, answer);
        return { message: answer.message ?? "heap dump " + answer.name + " is written" };
      },
    }),
  );
  return h("div", null, h("h3", null, "Heap"), open, made);
}

/** Makes the button that asks a Supervisor for a thread dump of its worker. */
export function threadDumpForm(context, process) {
  if (!context.can("thread-dump")) {
    return null;
  }
  return h("div", null, h("h3", null, "Threads"), actionButton("Thread dump", () => tell(post("thread-dump", { process }))));
}

/** Makes the form that asks a Supervisor for a recording of its worker. */
export function recordingForm(context, process) {
  if (!context.can("profile")) {
    return null;
  }
  const seconds = field("seconds", "Seconds", { type: "number", min: 1, max: 3600, value: 10, required: true });
  const form = inlineForm("Recording", [seconds], "Record", (values) => tell(post("profile", { process, millis: values.seconds * 1000 })));
  return h("div", null, h("h3", null, "Recording"), form);
}

export function logLevelFields(logger) {
  const level = field("level", "Level", null, LEVELS);
  level.querySelector("select").value = "DEBUG";
  return [
    field("logger", "Logger", { required: true, value: logger, spellcheck: "false", size: 28 }),
    level,
    field("seconds", "Seconds", { type: "number", min: 1, max: 86400, value: 600, required: true }),
  ];
}

/** Makes the form that sets the level of a logger; fixed are the other arguments, such as the process. */
export function logLevelForm(context, logger, fixed) {
  if (!context.can("log-level")) {
    return null;
  }
  const form = inlineForm("Log level", logLevelFields(logger), "Set", (values) =>
    tell(post("log-level", { ...values, ...fixed })),
  );
  return h("div", null, h("h3", null, "Log level"), form);
}

/** Makes the button that restarts a worker. */
export function restartButton(process, worker) {
  const open = h("button.danger", { type: "button" }, "Restart worker " + worker);
  open.addEventListener("click", () =>
    openDialog(open, {
      title: "Restart worker " + worker,
      content: h("p", null, "The worker's process ends and a new one starts. Tuples that it was working on are replayed by the spouts, if they are anchored; state that is only in its memory is lost."),
      submit: "Restart worker " + worker,
      danger: true,
      work: () => post("restart-worker", { process }),
    }),
  );
  return open;
}

/** Makes the panel that reads the newest lines of a log, when asked to. */
export function logPanel(context, args) {
  if (!context.can("log")) {
    return null;
  }
  const lines = h("pre.log", { tabindex: "0", role: "group", "aria-label": "Log lines", hidden: true });
  const file = h("span.soft");
  const form = inlineForm("Log", [field("lines", "Newest lines", { type: "number", min: 1, max: 5000, value: 200, required: true })], "Read log", async (values) => {
    const answer = await get("log", { ...args, ...values });
    const read = answer.lines ?? [];
    setText(file, (answer.file ?? "") + (read.length === 0 ? ": no lines" : ""));
    replace(lines, read.map((line) => h(levelOf(line), null, line + "\n")));
    lines.hidden = read.length === 0;
    lines.scrollTop = lines.scrollHeight;
  });
  return panel("Log", form, file, lines);
}

function levelOf(line) {
  return /\b(ERROR|FATAL|SEVERE)\b/.test(line) ? "span.bad" : /\bWARN(ING)?\b/.test(line) ? "span.warn" : "span";
}
