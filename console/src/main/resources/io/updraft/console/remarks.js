// What is wrong with a topology, the most urgent first, and the advice.

import { h, replace, setText } from "./dom.js";
import { componentHref, errorCount } from "./figures.js";
import { count, duration, quantity } from "./format.js";

/** Of one kind of trouble, so many are listed; the others are counted. */
const MOST = 6;

/** What is known of a cluster. */
const NOTHING_IN_CLUSTER = "Nothing is wrong: all executors report, no tuple fails, no error is kept, no component is nearly busy.";

const NOTHING = "Nothing is wrong: no call is stuck, no tuple fails, no key is hot, no component holds back others.";

/** Draws into root; returns the function to call with each interval's figures. */
export function newRemarks(root, topology, context) {
  const list = h("ul.remarks");
  const fine = h("p.good.fine", null, "✓ " + (context.isCluster ? NOTHING_IN_CLUSTER : NOTHING));
  const advice = h("div.advice", { hidden: true });
  const notes = h("p.soft", { hidden: true });
  replace(root, h("h2", null, "What is wrong"), fine, list, advice, notes);
  const items = new Map();
  return (figures) => {
    const server = context.isCluster ? (figures.live.remarks ?? []) : [];
    const remarks = [...remarksOf(figures), ...clusterRemarks(server)];
    fine.hidden = remarks.length > 0;
    list.hidden = remarks.length === 0;
    drawRemarks(list, items, remarks, topology);
    drawAdvice(advice, figures.live.advice?.lines ?? []);
    const plain = server.filter((remark) => remark.style === "plain").map((remark) => remark.text);
    notes.hidden = plain.length === 0;
    setText(notes, plain.map((text) => text[0].toUpperCase() + text.slice(1) + ".").join(" "));
  };
}

/** Keeps the elements of remarks that stay, so that focus and selection stay, too. */
function drawRemarks(list, items, remarks, topology) {
  const keys = new Set(remarks.map((remark) => remark.key));
  for (const [key, item] of items) {
    if (!keys.has(key)) {
      item.element.remove();
      items.delete(key);
    }
  }
  remarks.forEach((remark, i) => {
    let item = items.get(remark.key);
    if (!item) {
      item = newItem(remark, topology);
      items.set(remark.key, item);
    }
    setText(item.text, remark.text);
    if (list.children[i] !== item.element) {
      list.insertBefore(item.element, list.children[i] ?? null);
    }
  });
}

function newItem(remark, topology) {
  const text = h("span.line");
  const links = remark.component
    ? [h("a.open", { href: componentHref(topology, remark.component), title: remark.component }, remark.link ?? "Open")]
    : remark.href
      ? [h("a.open", { href: remark.href }, remark.link)]
      : [];
  return { text, element: h("li." + remark.level, null, h("strong.label", null, remark.label), text, ...links) };
}

function drawAdvice(place, lines) {
  place.hidden = lines.length === 0;
  const now = lines.join("\n");
  if (place.dataset.lines === now) {
    return;
  }
  place.dataset.lines = now;
  // The load of each component is a table of aligned columns, indented by two blanks; the other lines are sentences.
  const load = lines.filter((line) => line.startsWith("  "));
  const open = place.querySelector("details")?.open ?? false;
  replace(
    place,
    h("h3", null, "Advice"),
    h("ul", null, lines.filter((line) => !line.startsWith("  ")).map((line) => h("li", null, line))),
    load.length === 0 ? null : h("details", { open }, h("summary", null, "Load by component"), h("pre", { tabindex: 0 }, load.join("\n"))),
  );
}

function remarksOf(figures) {
  const live = figures.live;
  return [
    ...calls(live),
    ...capped("lastSeen", "warn", "Not acked", (live.lastSeen ?? []).filter((seen) => seen.inFlight || seen.timedOut), (seen) => ({
      key: "seen " + seen.spout,
      text: seen.line ?? seen.spout + ": " + seen.message + (seen.place ? ", " + seen.place : ""),
      component: seen.spout,
    })),
    ...capped("hot", "warn", "Hot key", live.hotKeys ?? [], (line, i) => ({
      key: "hot " + line.split(";")[0],
      text: line.replace(/^hot key: /, ""),
      component: live.hotKeyComponents?.[i] ?? null,
    })),
    ...failing(figures),
    ...bottleneck(live),
    ...capped("worker", "bad", "Worker", (live.workers ?? []).filter((worker) => worker.state && worker.state !== "running"), (worker) => ({
      key: "worker " + worker.worker,
      text: "worker " + worker.worker + " is " + worker.state + (worker.lastEnd ? "; last end: " + worker.lastEnd : ""),
      href: "#/processes",
      link: "Processes",
    })),
  ];
}

/** The remarks of the server on a topology of a cluster. The bottleneck is a member of its own, and of a run everything is. */
function clusterRemarks(remarks) {
  return remarks
    .filter((remark) => remark.style === "bad")
    .map(({ text, component }, i) => {
      const at = text.indexOf(": ");
      const label = at < 0 ? "Remark" : text[0].toUpperCase() + text.slice(1, at);
      return { key: "remark " + label + i + component, level: "bad", label, text: text.slice(at < 0 ? 0 : at + 2), component };
    });
}

function calls(live) {
  const describe = (call) => ({
    key: [call.deadlocked ? "deadlock" : "stuck", call.component, call.task, call.method].join(" "),
    text: call.line ?? call.component + " task " + call.task + " in " + call.method + "() for " + duration(call.seconds),
    component: call.component,
    link: "Stack",
  });
  if (!live.calls) {
    return capped("stuck", "bad", "Stuck", live.stuck ?? [], (line, i) => ({ key: "stuck " + i, text: line }));
  }
  return [
    ...capped("deadlock", "bad", "Deadlock", live.calls.filter((call) => call.deadlocked), describe),
    ...capped("stuck", "bad", "Stuck call", live.calls.filter((call) => !call.deadlocked), describe),
  ];
}

function failing(figures) {
  const at = (row, column) => figures.value(row, column) ?? 0;
  const rows = figures.rows.filter((row) => at(row, "failedPerSecond") > 0 || at(row, "errors") > 0);
  rows.sort((a, b) => at(b, "failedPerSecond") - at(a, "failedPerSecond") || at(b, "errors") - at(a, "errors"));
  return capped("failing", "bad", "Failing", rows, (row) => {
    const id = figures.value(row, "id");
    const failed = at(row, "failedPerSecond");
    const what = figures.value(row, "kind") === "spout" ? " tuple trees/s fail" : " tuples/s fail";
    return {
      key: (failed > 0 ? "failing " : "errors ") + id,
      ...(failed > 0 ? {} : { level: "warn", label: "Errors" }),
      text: id + ": " + [
        failed > 0 ? quantity(failed) + what : null,
        at(row, "errors") > 0 ? errorCount(at(row, "errors")) + " since the start" : null,
      ].filter((part) => part).join(", "),
      component: id,
    };
  });
}

function bottleneck(live) {
  return live.bottleneck
    ? [{ key: "bottleneck " + live.bottleneckComponent, level: "warn", label: "Bottleneck", text: live.bottleneck, component: live.bottleneckComponent }]
    : [];
}

function capped(kind, level, label, all, describe) {
  const shown = all.slice(0, MOST).map((one, i) => ({ level, label, ...describe(one, i) }));
  if (all.length > MOST) {
    shown.push({ key: "more " + kind, level, label: "More", text: "and " + count(all.length - MOST) + " more" });
  }
  return shown;
}
