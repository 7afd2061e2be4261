// The actions on a topology: activate or deactivate, rebalance, kill, log level.

import { get, objects, post } from "./api.js";
import { h, setText } from "./dom.js";
import { actionButton, field, openDialog, tell } from "./dialogs.js";
import { text } from "./format.js";
import { logLevelFields } from "./processactions.js";

const drawn = new WeakMap();

/** Shows the buttons that this console offers for a topology. May be called again with a newer entry. */
export function topologyActions(root, context, topologyEntry) {
  let actions = drawn.get(root);
  if (actions === undefined) {
    actions = draw(context, topologyEntry.name);
    drawn.set(root, actions);
  }
  actions.update(topologyEntry);
  if (actions.bar.parentNode !== root) {
    root.append(actions.bar);
  }
}

function draw(context, topology) {
  const isTopology = (entry) => entry.kind !== "pipeline";
  let active = true;
  const toggle = h("button", { type: "button" });
  toggle.addEventListener("click", () => confirmActive(toggle, topology, !active));
  const rebalance = actionButton("Rebalance", () => openRebalance(rebalance, topology));
  const level = h("button", { type: "button", onclick: () => openLogLevel(level, topology, context) }, "Log level");
  const kill = h("button.danger", { type: "button", onclick: () => openKill(kill, topology) }, "Kill");
  const bar = h("div.actions", { role: "group", "aria-label": "Actions on topology " + topology }, toggle, rebalance, level, kill);
  return {
    bar,
    update(entry) {
      active = entry.state !== "inactive";
      setText(toggle, active ? "Deactivate" : "Activate");
      const works = ["running", "inactive"].includes(entry.state);
      toggle.hidden = !(works && isTopology(entry) && context.can(active ? "deactivate" : "activate"));
      rebalance.hidden = !(works && isTopology(entry) && context.can("rebalance"));
      kill.hidden = !(works && context.can("kill"));
      level.hidden = entry.state === "dead" || !context.can("log-level");
      bar.hidden = [...bar.children].every((button) => button.hidden);
    },
  };
}

function confirmActive(opener, topology, activate) {
  openDialog(opener, {
    title: (activate ? "Activate " : "Deactivate ") + topology,
    content: h("p", null, activate ? "The spouts emit again." : "The spouts stop emitting. Tuples in flight are still processed."),
    submit: activate ? "Activate" : "Deactivate",
    work: () => post(activate ? "activate" : "deactivate", { topology }),
  });
}

async function openRebalance(opener, topology) {
  const components = objects((await get("live", { topology })).table);
  if (components.length === 0) {
    throw new Error("topology '" + topology + "' shows no components");
  }
  openDialog(opener, {
    title: "Rebalance " + topology,
    content: [
      h("p", null, "Executors per component, while the topology runs. A component has at most as many executors as tasks."),
      h("div.fields", null, components.map((component) =>
        field("executors:" + component.id, component.id + " (now " + text(component.executors) + ", tasks " + text(component.tasks) + ")", {
          type: "number",
          min: 1,
          max: component.tasks,
          value: component.executors,
          required: true,
        }),
      )),
    ],
    submit: "Rebalance",
    async work(values) {
      const executors = Object.fromEntries(
        components
          .map((component) => [component.id, values["executors:" + component.id], component.executors])
          .filter(([, wanted, now]) => wanted !== now)
          .map(([id, wanted]) => [id, wanted]),
      );
      if (Object.keys(executors).length === 0) {
        throw new Error("no number is another one than now");
      }
      return post("rebalance", { topology, executors });
    },
  });
}

function openKill(opener, topology) {
  openDialog(opener, {
    title: "Kill " + topology,
    content: [
      h("p", null, "The spouts stop, tuples in flight are processed for at most the wait time, and the topology ends. It must be submitted anew to run again."),
      field("waitSeconds", "Wait at most, seconds (empty: the topology's message timeout)", { type: "number", min: 0, max: 86400 }),
    ],
    submit: "Kill " + topology,
    danger: true,
    work: ({ waitSeconds }) => post("kill", waitSeconds === null ? { topology } : { topology, seconds: waitSeconds }, 120_000),
  });
}

function openLogLevel(opener, topology, context) {
  openDialog(opener, {
    title: "Log level",
    content: [
      h("p", null, "Sets the level of a logger in all " + (context.isCluster ? "workers of this topology" : "processes of this run") + ", and takes it back after the time."),
      h("div.fields", null, logLevelFields("ROOT")),
    ],
    submit: "Set level",
    work: (values) => post("log-level", context.isCluster ? { topology, ...values } : values),
  });
}

/** Makes the button that switches the samples of a component's tuples on or off. */
export function debugForm(context, topology, component) {
  if (!context.can("debug")) {
    return null;
  }
  const percent = field("percent", "Sample of emitted tuples, %", { type: "number", min: 0.01, max: 100, step: "any", value: 10 });
  const on = actionButton("Log sample", () =>
    tell(post("debug", { topology, component, on: true, percent: Number(percent.querySelector("input").value) })),
  );
  const off = actionButton("Stop", () => tell(post("debug", { topology, component, on: false, percent: 0 })));
  return h("div.inline", { role: "group", "aria-label": "Debug sample" }, percent, on, off);
}
