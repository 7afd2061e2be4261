// The deaths of processes, from the run's records.

import { get } from "./api.js";
import { h, replace } from "./dom.js";
import { text, time } from "./format.js";
import { liveTable } from "./rows.js";

export async function show(root, parameters, context) {
  const table = liveTable(
    "Deaths",
    [
      { head: "Time", text: (death) => time(death.millis) },
      { head: "Why", wrap: true, text: (death) => text(death.why) },
      { head: "Record", wrap: true, memo: (death) => death.record, fill: (cell, death) => cell.append(h("code", null, text(death.record))) },
      { head: "Capsule", wrap: true, memo: (death) => death.capsule, fill: (cell, death) => cell.append(h("code", null, text(death.capsule))) },
    ],
    (death) => death.millis + "/" + death.record,
    "No process has died.",
  );
  replace(root, h("h1", null, "Deaths"), h("section.panel", { "aria-label": "Deaths" }, table.element));
  context.every(10_000, async () => {
    const { deaths } = await get("deaths");
    if (context.isOpen()) {
      table.update([...(deaths ?? [])].reverse());
    }
  });
}
