// The deaths of processes, from the run's records. Records are opened as text.

import { get } from "./api.js";
import { actionButton } from "./dialogs.js";
import { h, replace } from "./dom.js";
import { bytes, dateTime, text } from "./format.js";
import { liveTable, panel } from "./rows.js";

export async function show(root, parameters, context) {
  const opened = h("div");
  const open = async (file) => {
    const answer = await get("death-file", { file });
    if (context.isOpen()) {
      replace(opened, fileView(answer));
      opened.scrollIntoView({ block: "nearest" });
    }
  };
  const table = liveTable(
    "Deaths",
    [
      { head: "Time", wrap: true, text: (death) => dateTime(death.millis) },
      { head: "Why", wrap: true, memo: (death) => [death.why, death.ofThisRun, death.record, death.capsule], fill: (cell, death) => replace(cell, why(death), files(death, open)) },
    ],
    (death) => [death.millis, death.record, death.capsule].join("/"),
    "No process has died.",
  );
  replace(root, h("h1", null, "Deaths"), h("section.panel", { "aria-label": "Deaths" }, table.element), opened);
  context.every(10_000, async () => {
    const { deaths } = await get("deaths");
    if (context.isOpen()) {
      table.update(deaths ?? []);
    }
  });
}

function why(death) {
  return h("p", null, death.ofThisRun ? [h("span.mark", null, "this run"), " "] : null, h("span.clamp", { title: death.why }, text(death.why)));
}

function files(death, open) {
  const name = (file) => (file.endsWith(".log") ? "Log" : "Record");
  const button = (file, label) => {
    const made = actionButton(label, () => open(file), ".small");
    made.title = file;
    return made;
  };
  return h("span.links", null, death.record ? button(death.record, name(death.record)) : null, death.capsule ? button(death.capsule, "Capsule") : null);
}

function fileView({ file, bytes: size, omittedBytes, text: content }) {
  const part = omittedBytes > 0 ? ", without the first " + bytes(omittedBytes) : "";
  return panel(
    "Last seen",
    h("p.soft", null, h("code", null, file), " " + bytes(size) + part),
    h("pre.log", { tabindex: "0", role: "group", "aria-label": "Text of the file" }, content),
  );
}
