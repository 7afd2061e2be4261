// The Nimbus and supervisor processes of a cluster.

import { get, objects } from "./api.js";
import { h, replace } from "./dom.js";
import { bytes, count, duration, quantity, text } from "./format.js";
import { liveTable, panel } from "./rows.js";

export async function show(root, parameters, context) {
  const nimbuses = liveTable(
    "Nimbus",
    [
      { head: "Host", text: (row) => text(row.host) },
      { head: "Port", number: true, text: (row) => text(row.port) },
      { head: "Role", text: (row) => (row.leader === true ? "leader" : row.leader === false ? "standby" : text(row.leader)) },
      { head: "Version", text: (row) => text(row.version) },
      { head: "Uptime", number: true, text: (row) => duration(row.uptimeSeconds) },
    ],
    (row) => row.host + ":" + row.port,
    "No Nimbus answers.",
  );
  const supervisors = liveTable(
    "Supervisors",
    [
      { head: "Host", text: (row) => text(row.host) },
      { head: "Slots used", number: true, text: (row) => count(row.usedSlots) + " of " + count(row.slots) },
      { head: "Memory", number: true, text: (row) => of(bytes, row.usedMemory, row.memory) },
      { head: "CPU", number: true, title: "100 is one core", text: (row) => of(quantity, row.usedCpu, row.cpu) },
      { head: "Version", text: (row) => text(row.version) },
      { head: "Uptime", number: true, text: (row) => duration(row.uptimeSeconds) },
      { head: "Id", text: (row) => text(row.id) },
    ],
    (row) => row.id,
    "No supervisor answers.",
  );
  replace(root, h("h1", null, "Cluster"), panel("Nimbus", nimbuses.element), panel("Supervisors", supervisors.element));
  context.every(5_000, async () => {
    const answer = await get("cluster");
    if (context.isOpen()) {
      nimbuses.update(objects(answer.nimbuses));
      supervisors.update(objects(answer.supervisors));
    }
  });
}

function of(format, used, all) {
  return used === undefined || used === null ? format(all) : format(used) + " of " + format(all);
}
