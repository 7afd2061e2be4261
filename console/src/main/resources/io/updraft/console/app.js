// The frame of the page: navigation, the connection, messages, and the switch between pages. A page is a module with
// show(root, parameters, context); it draws into root and calls context.every for what it repeats until the user leaves it.

import { readSession } from "./api.js";
import { watchConnection } from "./connection.js";
import { h, replace, setText, visible } from "./dom.js";
import { message } from "./messages.js";
import * as overview from "./overview.js";
import * as topology from "./topology.js";
import * as component from "./component.js";
import * as processes from "./processes.js";
import * as process from "./process.js";
import * as deaths from "./deaths.js";
import * as files from "./files.js";
import * as cluster from "./cluster.js";

const ROUTES = [
  [/^#\/?$/, overview],
  [/^#\/topology\/([^/]+)$/, topology],
  [/^#\/topology\/([^/]+)\/component\/([^/]+)$/, component],
  [/^#\/processes$/, processes],
  [/^#\/process\/([^/]+)$/, process],
  [/^#\/deaths$/, deaths],
  [/^#\/files$/, files],
  [/^#\/cluster$/, cluster],
];

const NAVIGATION = [
  ["#/", "Topologies", "overview"],
  ["#/cluster", "Cluster", "cluster"],
  ["#/processes", "Processes", "processes"],
  ["#/files", "Files", "files"],
  ["#/deaths", "Deaths", "deaths"],
];

/** A page that is not available may be so soon: a topology that has just been submitted has no figures yet. */
const AGAIN_MILLIS = 3_000;

const main = document.getElementById("main");
let leave = () => {};

/** What a page may use. Timers end, and late answers are dropped, when the user leaves the page. */
function newContext(session) {
  let open = true;
  const timers = new Set();
  const context = {
    session,
    /** A Storm cluster: what its workers do not report to Nimbus is not shown. */
    isCluster: session.kind === "cluster",
    can: (request) => session.requests.includes(request) && !(session.readOnly && isAction(request)),
    isOpen: () => open,
    /** Calls an asynchronous function at once and again after each pause, not while the page is hidden. */
    every(millis, work) {
      const turn = async () => {
        if (!document.hidden) {
          try {
            await work();
            failed(null);
          } catch (e) {
            if (open) {
              failed(e.message);
            }
          }
        }
        if (open) {
          const timer = setTimeout(() => {
            timers.delete(timer);
            turn();
          }, millis);
          timers.add(timer);
        }
      };
      turn();
    },
    onLeave(work) {
      leavers.push(work);
    },
  };
  const leavers = [];
  leave = () => {
    open = false;
    timers.forEach(clearTimeout);
    leavers.forEach((work) => work());
  };
  return context;
}

const ACTIONS = new Set(["activate", "deactivate", "kill", "rebalance", "debug", "log-level", "heap", "profile", "thread-dump", "restart-worker", "replay", "delete-file"]);

function isAction(request) {
  return ACTIONS.has(request);
}

/** Shows why the page has no newer figures although its process may answer; null if it has. */
function failed(reason) {
  const place = document.getElementById("failure");
  place.hidden = reason === null;
  setText(place, reason ?? "");
}

async function navigate(session) {
  leave();
  const hash = location.hash || "#/";
  const found = ROUTES.map(([pattern, page]) => [pattern.exec(hash), page]).find(([match]) => match !== null);
  const context = newContext(session);
  for (const link of document.querySelectorAll("#nav a")) {
    const current = link.hash === hash || (link.hash === "#/" && hash.startsWith("#/topology/")) || (link.hash === "#/processes" && hash.startsWith("#/process/"));
    current ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  replace(main);
  if (!found) {
    replace(main, h("h1", null, "No such page"), h("p", null, "There is nothing at " + hash + "."));
    return;
  }
  try {
    const parameters = found[0].slice(1).map(decodeURIComponent);
    document.title = visible([...parameters].reverse().concat("Updraft").join(" - "));
    await found[1].show(main, parameters, context);
  } catch (e) {
    if (context.isOpen()) {
      replace(main, h("h1", null, "Not available"), h("p.bad", { role: "alert" }, e.message));
      const again = setTimeout(() => navigate(session), AGAIN_MILLIS);
      context.onLeave(() => clearTimeout(again));
    }
  }
}

function setUpTheme() {
  const button = document.getElementById("theme");
  const themes = ["auto", "light", "dark"];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = (theme) => {
    const root = document.documentElement.dataset;
    root.theme = theme;
    root.scheme = theme === "dark" || (theme === "auto" && dark.matches) ? "dark" : "light";
    setText(button, "Theme: " + theme);
    dispatchEvent(new Event("themechange"));
  };
  let stored = null;
  try {
    stored = localStorage.getItem("theme");
  } catch {
    // Storage is switched off in this browser.
  }
  set(themes.includes(stored) ? stored : "auto");
  dark.addEventListener("change", () => set(document.documentElement.dataset.theme));
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length];
    set(next);
    try {
      localStorage.setItem("theme", next);
    } catch {
      // The choice holds until the page is closed.
    }
  });
}

async function start() {
  setUpTheme();
  let session;
  for (;;) {
    try {
      session = await readSession();
      break;
    } catch (e) {
      failed(e.message);
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
  failed(null);
  watchConnection(() => readSession(2_500));
  setText(document.getElementById("run"), [session.program, session.host].filter((part) => part).join(" on "));
  replace(
    document.getElementById("nav"),
    NAVIGATION.filter(([, , request]) => session.requests.includes(request)).map(([href, name]) => h("a", { href }, name)),
  );
  if (session.readOnly) {
    message("read-only: this console takes no actions");
  }
  addEventListener("hashchange", () => {
    navigate(session).then(() => main.focus({ preventScroll: true }));
  });
  navigate(session);
}

start();
