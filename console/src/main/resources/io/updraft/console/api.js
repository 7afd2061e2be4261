// Requests to the server of the page. Every failure is an Error whose message is one line for the user.

import { checkConnection, heard, succeeded, unreachable } from "./connection.js";

const LIMIT_MILLIS = 15_000;

/** The header with which the server names its console. */
const CONSOLE = "Updraft-Console";

/** The header with which a process that ends says why. */
const END = "Updraft-End";

/** The console that has served this page, and its process; null before its first answer. */
let served = null;
let pid = null;

/** Reads. Undefined arguments are left out. */
export function get(request, args = {}, limit = LIMIT_MILLIS) {
  const query = new URLSearchParams(Object.entries(args).filter(([, value]) => value !== undefined && value !== null));
  const text = query.toString();
  return ask("/console/api/" + request + (text === "" ? "" : "?" + text), {}, limit);
}

/** Acts. The limit is for requests that take long, such as a profile. */
export async function post(request, args = {}, limit = 60_000) {
  checkConnection();
  return ask(
    "/console/api/" + request,
    { method: "POST", headers: { "Content-Type": "application/json", ...(served === null ? {} : { [CONSOLE]: served }) }, body: JSON.stringify(args) },
    limit,
  );
}

async function ask(path, options, limit) {
  let response;
  try {
    response = await fetch(path, { ...options, signal: AbortSignal.timeout(limit), credentials: "same-origin" });
  } catch (e) {
    if (e.name !== "TimeoutError") {
      unreachable("not reachable");
    }
    throw new Error(e.name === "TimeoutError" ? "no answer for " + limit / 1000 + " s" : "the server does not answer; has the run ended?");
  }
  checkConsole(response.headers.get(CONSOLE));
  const end = response.headers.get(END);
  heard(end === null ? null : decodeURIComponent(end));
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Error("the server's answer (status " + response.status + ") is not JSON");
  }
  if (!response.ok || answer.error) {
    throw new Error(answer.error ?? "status " + response.status);
  }
  return answer;
}

/** Takes no answer of another process that has got the port: nothing that the page shows is of that process. */
function checkConsole(name) {
  if (name !== null && served !== null && name !== served) {
    succeeded(readEnd());
    throw new Error("another process serves this address now");
  }
  served = name ?? served;
}

/** Asks the successor what it knows of the end of the process of this page; null if it knows nothing. */
async function readEnd() {
  const response = await fetch("/console/api/deaths", { signal: AbortSignal.timeout(LIMIT_MILLIS), credentials: "same-origin" });
  const { deaths } = response.ok ? await response.json() : {};
  return (deaths ?? []).find((death) => death.pid === pid)?.why ?? null;
}

/** Reads what the page is told about its process. */
export async function readSession(limit) {
  const session = await get("session", {}, limit);
  pid = session.pid;
  return session;
}

/** Returns the rows of a table {columns, rows} as objects. */
export function objects(table) {
  if (!table) {
    return [];
  }
  return table.rows.map((row) => Object.fromEntries(table.columns.map((column, i) => [column, row[i]])));
}
