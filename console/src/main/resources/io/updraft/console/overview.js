// All topologies of this console. A run with one topology shows that topology's page at once.

import { get } from "./api.js";
import { h, replace, setText } from "./dom.js";
import { topologyHref } from "./figures.js";
import { count, duration, plural, quantity } from "./format.js";
import { drawState } from "./head.js";
import { nothingIn, NOTHING_IN_PIPELINE, troubles } from "./remarks.js";
import * as topology from "./topology.js";

const INTERVAL_MILLIS = 2000;

export async function show(root, parameters, context) {
  const first = await get("overview");
  if (!context.isOpen()) {
    return;
  }
  if (first.topologies.length === 1 && context.session.kind === "run") {
    context.every(INTERVAL_MILLIS, () => leaveIfMore(context));
    await topology.show(root, [first.topologies[0].name], context);
    return;
  }
  const summary = h("p.soft");
  const cards = h("ul.cards");
  replace(root, h("h1", null, "Topologies"), summary, cards);
  const shown = new Map();
  const draw = (answer) => {
    drawSummary(summary, answer.topologies);
    drawCards(cards, shown, answer.topologies, context.isCluster);
  };
  let next = first;
  let none = false;
  context.every(INTERVAL_MILLIS, async () => {
    const answer = next ?? (await get("overview"));
    next = null;
    if (!context.isOpen()) {
      return;
    }
    if (none && answer.topologies.length === 1 && context.session.kind === "run") {
      showAnew();
      return;
    }
    none = answer.topologies.length === 0;
    draw(answer);
  });
}

/** Shows the list when the run has got a second topology, or has none any more. */
async function leaveIfMore(context) {
  const { topologies } = await get("overview");
  if (context.isOpen() && topologies.length !== 1) {
    showAnew();
  }
}

function showAnew() {
  dispatchEvent(new HashChangeEvent("hashchange"));
}

function drawSummary(place, topologies) {
  const troubled = topologies.filter((entry) => troubles(entry).length > 0).length;
  const all = count(topologies.length) + (topologies.length === 1 ? " topology" : " topologies");
  setText(place, topologies.length === 0 ? "No topology runs." : all + (troubled === 0 ? "" : ", " + count(troubled) + " with trouble"));
}

function drawCards(list, shown, topologies, isCluster) {
  const key = (entry) => entry.id ?? entry.name;
  const keys = new Set(topologies.map(key));
  for (const [id, card] of shown) {
    if (!keys.has(id)) {
      card.element.remove();
      shown.delete(id);
    }
  }
  topologies.forEach((entry, i) => {
    let card = shown.get(key(entry));
    if (!card) {
      card = newCard(entry, isCluster);
      shown.set(key(entry), card);
    }
    drawCard(card, entry);
    if (list.children[i] !== card.element) {
      list.insertBefore(card.element, list.children[i] ?? null);
    }
  });
}

function newCard(entry, isCluster) {
  const card = { state: h("span.state"), facts: h("p.soft"), fine: h("p.good.fine", null, "✓ " + (entry.kind === "pipeline" ? NOTHING_IN_PIPELINE : nothingIn({ isCluster }))), lines: h("ul.remarks") };
  card.element = h(
    "li.panel",
    null,
    h("div.title", null, h("h2", null, h("a", { href: topologyHref(entry.name), title: entry.name }, entry.name)), card.state),
    card.facts,
    card.fine,
    card.lines,
  );
  return card;
}

function drawCard(card, entry) {
  drawState(card.state, entry);
  setText(
    card.facts,
    [
      entry.kind === "pipeline" ? "pipeline" : null,
      "up " + duration(entry.uptimeSeconds),
      known(entry.components) ? plural(entry.components, "component") : null,
      known(entry.executors) ? plural(entry.executors, "executor") : null,
      known(entry.inFlight) ? quantity(entry.inFlight) + " in flight" : null,
      entry.workers?.length > 0 ? plural(entry.workers.length, "worker") + ({ storm: " of Storm", updraft: " of Updraft" }[entry.workersOf] ?? "") : null,
    ]
      .filter((part) => part)
      .join(" · "),
  );
  const lines = troubles(entry);
  const now = JSON.stringify(lines);
  if (card.shown !== now) {
    card.shown = now;
    replace(card.lines, lines.map(({ level, label, text }) => h("li." + level, null, h("strong.label", null, label), h("span.line.clamp", { title: text.length > 200 ? text : null }, text))));
  }
  card.lines.hidden = lines.length === 0;
  card.fine.hidden = lines.length > 0;
}

function known(value) {
  return value !== null && value !== undefined;
}
