// Whether the process of the page still answers. Figures that are not of now are grey, with their age, and actions are off.

import { h, replace, setText } from "./dom.js";
import { duration, time } from "./format.js";

/** Without an answer for so long, the figures are not those of now. */
const SILENT_MILLIS = 3_000;

/** Pages that ask less often leave it to the connection to ask whether the process is there. */
const ASK_MILLIS = 1_000;

const LOOK_MILLIS = 250;

const state = { heard: Date.now(), failure: null, end: null, successor: false, asks: false };

/** Notes an answer of the process, and why the process ends, if it says so. */
export function heard(end) {
  state.heard = Date.now();
  state.failure = null;
  state.end ??= end;
  draw();
}

/** Notes that a request has failed in a way that says something of the process: it cannot be reached. */
export function unreachable(reason) {
  state.failure = reason;
  draw();
}

/** Notes that another process serves the address of the page. deaths are those that this process knows of. */
export function succeeded(readDeaths) {
  if (!state.successor) {
    state.successor = true;
    draw();
    readDeaths.then((end) => {
      state.end ??= end;
      draw();
    }, draw);
  }
}

/** Throws if the process does not answer: an action would reach nobody, or later than its user thinks. */
export function checkConnection() {
  if (isGone()) {
    throw new Error("no action is taken: " + words());
  }
}

/** Shows the connection from now on; ask() asks the process for a sign of life. */
export function watchConnection(ask) {
  setInterval(() => {
    if (document.hidden || state.successor) {
      return;
    }
    draw();
    if (!state.asks && Date.now() - state.heard > ASK_MILLIS) {
      state.asks = true;
      ask().catch(() => {}).finally(() => (state.asks = false));
    }
  }, LOOK_MILLIS);
  // Nobody has asked while the page was hidden.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && state.failure === null) {
      state.heard = Date.now();
    }
  });
}

function isGone() {
  return state.successor || state.end !== null || isSilent();
}

function isSilent() {
  return Date.now() - state.heard > SILENT_MILLIS;
}

function words() {
  if (state.end !== null) {
    return "the process has ended: " + state.end;
  }
  if (state.successor) {
    return "the process has ended";
  }
  return "no answer for " + duration((Date.now() - state.heard) / 1000) + ": the process stands still, or it has ended";
}

const banner = h("div", { id: "gone", role: "alert", hidden: true });
const line = h("p");
let drawn = null;

function draw() {
  const pill = document.getElementById("connection");
  const gone = isGone();
  const label = state.successor || state.end !== null ? "ended" : gone ? "no answer" : (state.failure ?? "live");
  setText(pill, label);
  pill.className = label === "live" ? "good" : "bad";
  document.body.classList.toggle("gone", gone);
  banner.hidden = !gone;
  if (!gone) {
    drawn = null;
    switchActions(true);
    return;
  }
  switchActions(false);
  const now = words();
  setText(line, now[0].toUpperCase() + now.slice(1) + (/[.!?]$/.test(now) ? "" : ".") + " What is below is of " + time(state.heard) + ".");
  const kind = [state.successor, state.end !== null].join();
  if (drawn !== kind) {
    drawn = kind;
    replace(
      banner,
      line,
      state.successor
        ? h("p", null, "Another process serves this address now. ", h("a", { href: "/", onclick: open }, "Open its console"))
        : h("p.soft", null, "In a terminal, ", h("code", null, "updraft ps"), " and ", h("code", null, "updraft deaths"), " explain its end. This page resumes when the process answers."),
    );
  }
  if (banner.parentNode === null) {
    document.getElementById("main").before(banner);
  }
}

/** The address of the other console is the one of this page. */
function open(event) {
  event.preventDefault();
  history.replaceState(null, "", "/");
  location.reload();
}

const ACTIONS = "main .actions button, main form button, main .toolbox button, main .inline button, dialog button[type=submit]";
const off = new Set();

function switchActions(on) {
  if (on) {
    off.forEach((button) => (button.disabled = false));
    off.clear();
    return;
  }
  for (const button of document.querySelectorAll(ACTIONS)) {
    if (!button.disabled) {
      button.disabled = true;
      off.add(button);
    }
  }
}
