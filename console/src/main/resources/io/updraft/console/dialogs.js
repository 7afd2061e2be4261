// Buttons and dialogs of actions. What an action answers is shown at the bottom of the page.

import { h, setText } from "./dom.js";
import { message } from "./messages.js";

let fields = 0;

/** Makes a button that is busy until its work is done. It stays focusable meanwhile, and takes no second click. */
export function actionButton(label, work, style = "") {
  const button = h("button" + style, { type: "button" }, label);
  button.addEventListener("click", () => whileBusy(button, label, work).catch((e) => message(e.message, true)));
  return button;
}

/** Runs work once at a time; the button shows that it is busy. */
async function whileBusy(button, label, work) {
  if (button.getAttribute("aria-disabled") === "true") {
    return;
  }
  button.setAttribute("aria-disabled", "true");
  setText(button, label + " …");
  try {
    await work();
  } finally {
    button.removeAttribute("aria-disabled");
    setText(button, label);
  }
}

/** Makes an input or select with its label. options: [[value, text]] makes a select. */
export function field(name, label, attributes, options = null) {
  const id = "field-" + ++fields;
  const control = options
    ? h("select", { id, name, ...attributes }, options.map(([value, text]) => h("option", { value }, text)))
    : h("input", { id, name, autocomplete: "off", ...attributes });
  return h("div.field", null, h("label", { for: id }, label), control);
}

/** Makes a form that is one line of fields and a button. work(values) gets what was entered. */
export function inlineForm(label, parts, submit, work) {
  const button = h("button", { type: "submit" }, submit);
  const form = h("form.inline", { "aria-label": label }, parts, button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileBusy(button, submit, () => work(values(form))).catch((e) => message(e.message, true));
  });
  return form;
}

function values(form) {
  return Object.fromEntries(
    [...form.elements]
      .filter((control) => control.name !== "")
      .map((control) => [control.name, control.type === "number" ? (control.value === "" ? null : Number(control.value)) : control.value]),
  );
}

/**
 * Opens a dialog of fields. work(values) acts and returns the answer, whose message is shown; when it fails, the dialog stays
 * open with the reason. Afterwards the opener has the focus again.
 */
export function openDialog(opener, { title, content, submit, danger = false, work }) {
  const failure = h("p.bad", { role: "alert", hidden: true });
  const act = h(danger ? "button.danger" : "button.primary", { type: "submit" }, submit);
  const cancel = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const heading = h("h2", { id: "dialog-title" }, title);
  const form = h("form", null, heading, content, failure, h("div.buttons", null, cancel, act));
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    failure.hidden = true;
    try {
      await whileBusy(act, submit, async () => {
        const answer = await work(values(form));
        if (answer?.message) {
          message(answer.message);
        }
        dialog.close();
      });
    } catch (e) {
      setText(failure, e.message);
      failure.hidden = false;
    }
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    opener.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  (form.querySelector("input, select") ?? cancel).focus();
}

/** Acts, and shows the message of the answer. */
export async function tell(answer) {
  const { message: line } = await answer;
  message(line ?? "done");
}
