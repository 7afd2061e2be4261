// The head of a topology's page: name, state, totals, and how busy the event loops are.

import { h, replace, setText } from "./dom.js";
import { count, duration, nanos, percent, plural, quantity, rate } from "./format.js";

/** Draws the name and state, and the totals; returns the function to call with each interval's figures. */
export function newHead(title, figuresPlace, name, context) {
  const state = h("span.state");
  const uptime = h("span.soft");
  const totals = h("dl.totals");
  const loops = h("div.loops", { role: "img" });
  const processes = context.can("processes") ? h("a", { href: "#/processes" }, "Processes") : null;
  replace(title, h("div.title", null, h("h1", { title: name }, name), state, uptime, processes));
  replace(figuresPlace, totals, loops);
  const values = new Map();
  return (figures) => {
    const { live } = figures;
    drawState(state, live);
    setText(uptime, "up " + duration(live.uptimeSeconds));
    drawTotals(totals, values, live.kind === "pipeline" ? pipelineTotals(live) : topologyTotals(figures, context));
    drawLoops(loops, live.loopBusy ?? []);
  };
}

/** Shows what is wrong instead of that a topology runs. */
export function drawState(place, { state, condition }) {
  setText(place, condition ?? state ?? "unknown");
  place.className = "state " + (condition !== state ? "bad" : state === "running" ? "good" : "warn");
}

function topologyTotals(figures, context) {
  const { live } = figures;
  const spouts = figures.spouts();
  const sum = (column) => {
    const known = spouts.map((row) => figures.value(row, column)).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
  };
  const slowest = (column) => {
    const known = spouts.map((row) => figures.value(row, column)).filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
  const failed = sum("failedPerSecond");
  const of = spouts.length > 1 ? "slowest spout" : "";
  return [
    ["Emitted", rate(sum("emittedPerSecond")), "by the spouts"],
    ["Completed", rate(sum("ackedPerSecond")), "tuple trees"],
    ["Failed", rate(failed), "tuple trees", failed > 0 ? "bad" : ""],
    ...(context.isCluster
      ? [["Complete", nanos(slowest("completeP50Nanos")), ["mean of 10 min", of].filter((part) => part).join(", ")]]
      : [
          ["In flight", quantity(live.inFlight), "tuple trees"],
          ["Complete p50", nanos(slowest("completeP50Nanos")), of],
          ["Complete p99", nanos(slowest("completeP99Nanos")), of],
        ]),
    ["Components", count(live.components ?? figures.rows.length), plural(live.executors, "executor")],
    ...workers(live.workers ?? []),
  ];
}

function workers(all) {
  if (all.length === 0) {
    return [];
  }
  const running = all.filter((worker) => worker.state === "running").length;
  const restarts = all.reduce((sum, worker) => sum + (worker.restarts ?? NaN), 0);
  return [["Workers", running === all.length ? count(running) : running + " of " + all.length, Number.isNaN(restarts) ? "" : plural(restarts, "restart"), running === all.length ? "" : "bad"]];
}

function pipelineTotals(live) {
  return workers(live.workers ?? []);
}

function drawTotals(list, values, totals) {
  list.hidden = totals.length === 0;
  for (const [name, value, note, level] of totals) {
    let shown = values.get(name);
    if (!shown) {
      shown = { value: h("dd"), note: h("dd.note") };
      values.set(name, shown);
      list.append(h("div", null, h("dt", null, name), shown.value, shown.note));
    }
    setText(shown.value, value);
    setText(shown.note, note);
    if (shown.level !== level) {
      shown.level = level;
      shown.value.className = level ?? "";
    }
  }
}

function drawLoops(place, shares) {
  place.hidden = shares.length === 0;
  if (shares.length === 0) {
    return;
  }
  if (place.children.length !== shares.length + 1) {
    replace(place, h("span.caption"), shares.map(() => h("span.loop", null, h("span"))));
  }
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const words = plural(shares.length, "event loop") + ", on average " + percent(mean) + " busy, at most " + percent(Math.max(...shares));
  setText(place.firstChild, words);
  place.setAttribute("aria-label", words);
  shares.forEach((share, i) => {
    const loop = place.children[i + 1];
    const now = percent(share);
    if (loop.title !== "event loop " + i + ": " + now + " busy") {
      loop.title = "event loop " + i + ": " + now + " busy";
      loop.firstChild.style.height = Math.round(Math.min(1, Math.max(0, share)) * 100) + "%";
      loop.classList.toggle("full", share >= 0.9);
    }
  });
}
