// The files that this console has made: heap dumps, flame graphs, thread dumps.

import { get, post } from "./api.js";
import { tell } from "./dialogs.js";
import { h, replace } from "./dom.js";
import { bytes, text, time } from "./format.js";
import { message } from "./messages.js";
import { fileLinks } from "./processactions.js";
import { liveTable } from "./rows.js";

const KINDS = { heap: "heap dump", flame: "flame graph", threads: "thread dump" };

export async function show(root, parameters, context) {
  const table = liveTable(
    "Files",
    [
      { head: "File", wrap: true, text: (file) => text(file.name) },
      { head: "Kind", text: (file) => KINDS[file.kind] ?? text(file.kind) },
      { head: "Size", number: true, text: (file) => bytes(file.bytes) },
      { head: "Made", text: (file) => time(file.time) },
      { head: "Open", memo: (file) => [file.view, file.download], fill: (cell, file) => cell.append(fileLinks(file)) },
      ...(context.can("delete-file") ? [{ head: "Delete", memo: (file) => file.name, fill: (cell, file) => cell.append(deleteButton(file, () => read())) }] : []),
    ],
    (file) => file.name,
    "None yet. Flame graphs and heap dumps are made on the pages of processes and components.",
  );
  replace(root, h("h1", null, "Files"), h("section.panel", { "aria-label": "Files" }, table.element));
  const read = async () => {
    const { files } = await get("files");
    if (context.isOpen()) {
      table.update([...(files ?? [])].sort((a, b) => String(b.time).localeCompare(String(a.time))));
    }
  };
  context.every(5_000, read);
}

function deleteButton(file, read) {
  const button = h("button", { type: "button", "aria-label": "Delete " + file.name }, "Delete");
  button.addEventListener("click", () => {
    button.disabled = true;
    tell(post("delete-file", { name: file.name }))
      .then(read)
      .catch((e) => message(e.message, true))
      .finally(() => (button.disabled = false));
  });
  return button;
}
