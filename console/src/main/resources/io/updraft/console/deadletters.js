// The messages that a topology has given up.

import { get, post } from "./api.js";
import { h, replace, setText } from "./dom.js";
import { actionButton, openDialog, tell } from "./dialogs.js";
import { count, dateTime, plural, text } from "./format.js";

const NEWEST = 50;

/** Shows the dead letters of a topology: the newest are read at once, and again when the user asks for them. */
export function deadLetters(root, context, topologyName) {
  if (!context.can("dead-letters")) {
    return;
  }
  const status = h("p.soft", { role: "status" });
  const list = h("div.scroll", { tabindex: "0", role: "group", "aria-label": "Dead letters" });
  const chosen = new Set();
  let replayable = 0;
  const replay = actionButton("Replay chosen", async () => {
    if (chosen.size === 0) {
      throw new Error("no dead letter is chosen");
    }
    await tell(post("replay", { topology: topologyName, letters: [...chosen].sort((a, b) => a - b) }));
    await read();
  });
  const everything = h("button", { type: "button" }, "Replay all");
  everything.addEventListener("click", () =>
    openDialog(everything, {
      title: "Replay all dead letters of " + topologyName,
      content: h("p", null, "The spouts emit each message once more that can be replayed: " + plural(replayable, "message") + " of those shown, and all that are kept besides. A cause that still exists makes them fail again."),
      submit: "Replay all",
      async work() {
        const answer = await post("replay", { topology: topologyName, all: true });
        await read();
        return answer;
      },
    }),
  );
  const again = actionButton("Read again", () => read());
  root.append(h("section.panel", { "aria-label": "Dead letters" }, h("h2", null, "Dead letters"), status, h("div.inline", null, again, context.can("replay") ? [replay, everything] : null), list));
  read().catch((e) => setText(status, e.message));

  async function read() {
    const answer = await get("dead-letters", { topology: topologyName, newest: NEWEST });
    if (!context.isOpen()) {
      return;
    }
    chosen.clear();
    setText(status, answer.message ?? plural(answer.counted, "message") + " given up");
    const letters = [...(answer.letters ?? [])].reverse();
    replayable = letters.filter(isReplayable).length;
    replay.disabled = replayable === 0;
    everything.disabled = replayable === 0;
    list.hidden = letters.length === 0;
    replace(list, letters.length === 0 ? null : table(letters));
  }

  function table(letters) {
    const choose = context.can("replay");
    const boxes = letters.map((letter) =>
      h("input", {
        type: "checkbox",
        disabled: !isReplayable(letter),
        "aria-label": "Choose message " + text(letter.messageId),
        onchange: (event) => (event.target.checked ? chosen.add(letter.number) : chosen.delete(letter.number)),
      }),
    );
    const all = h("input", {
      type: "checkbox",
      "aria-label": "Choose all shown",
      onchange: (event) => boxes.filter((box) => !box.disabled).forEach((box) => {
        box.checked = event.target.checked;
        box.dispatchEvent(new Event("change"));
      }),
    });
    return h(
      "table",
      null,
      h("thead", null, h("tr", null, choose ? h("th", null, all) : null, ["Time", "Spout", "Task", "Stream", "Message", "Failures", "Reason", "Replay", "Values"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, letters.map((letter, i) => h("tr", null, choose ? h("td", null, boxes[i]) : null, cells(letter)))),
    );
  }
}

function cells(letter) {
  if (typeof letter !== "object") {
    return h("td.wrap", { colspan: 9 }, String(letter));
  }
  const values = Array.isArray(letter.values) ? letter.values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(", ") : text(letter.values);
  return [dateTime(letter.time), text(letter.component), text(letter.task), text(letter.stream), text(letter.messageId), count(letter.failures), text(letter.reason), text(letter.replay)]
    .map((content) => h("td", { title: content.length > 30 ? content : null }, content))
    .concat(h("td.wrap", null, h("code.clamp", { title: values.length > 200 ? values : null }, values)));
}

/** Letters in the file of an earlier run have no number. */
function isReplayable(letter) {
  return letter.number !== undefined && ["possible", "failed again"].includes(letter.replay);
}
