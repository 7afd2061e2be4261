// Makes elements. Text is always set as text: names, keys and errors come from users' programs. Characters without a shape are
// escaped, and what runs from the right to the left is isolated, so that no text changes what stands beside it.

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element: h("a.warn", {href: "#/", onclick: f}, "text", child, ...). Attributes that are null or false are left out. */
export function h(tag, attributes, ...children) {
  return make((name) => document.createElement(name), tag, attributes, children);
}

/** Makes an SVG element. */
export function svg(tag, attributes, ...children) {
  return make((name) => document.createElementNS(SVG, name), tag, attributes, children);
}

/** The characters that VisibleText of the server escapes in the terminal; text that is laid out may have line breaks. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Words that run from the right to the left, from their first letter to their last one. */
const RIGHT_TO_LEFT = /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}](?:[^\p{L}\n]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}])*)/u;

/** A text of more characters may be cut by the layout. */
const LONG = 30;

/** Attributes that are read as text. */
const TEXTS = new Set(["title", "aria-label", "placeholder", "alt"]);

/** Returns the text with an escape for each character without a shape. */
export function visible(text) {
  return String(text).replace(HIDDEN, (character) => [...Array(character.length).keys()].map((i) => "\\u" + character.charCodeAt(i).toString(16).padStart(4, "0")).join(""));
}

/** Returns the nodes of a visible text; in drawings and choices it is one text. */
function nodes(text, parent) {
  if (!RIGHT_TO_LEFT.test(text) || parent.namespaceURI === SVG || parent.localName === "option") {
    return [text];
  }
  return text.split(RIGHT_TO_LEFT).map((part, i) => {
    if (i % 2 === 0) {
      return part;
    }
    const isolated = document.createElement("bdi");
    isolated.textContent = part;
    return isolated;
  });
}

function inside(parent, children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined)
    .flatMap((child) => (child instanceof Node ? [child] : nodes(visible(child), parent)));
}

function make(create, tag, attributes, children) {
  const [name, ...classes] = tag.split(".");
  const element = create(name);
  if (classes.length > 0) {
    element.setAttribute("class", classes.join(" "));
  }
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), value);
    } else if (value === true) {
      element.setAttribute(key, "");
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, TEXTS.has(key) ? visible(value) : value);
    }
  }
  element.append(...inside(element, children));
  return element;
}

/** Sets the text of an element if it is another one: most figures stay the same for a second, and the page need not be laid out anew. */
export function setText(element, text) {
  const shown = visible(text);
  if (element.textContent !== shown) {
    element.replaceChildren(...nodes(shown, element));
  }
}

/** Sets a text that may be cut by the layout, and the whole of it as the title. */
export function setLong(element, text) {
  setText(element, text);
  const title = text.length > LONG ? visible(text) : "";
  if (element.title !== title) {
    element.title = title;
  }
}

/** Replaces the children of an element. */
export function replace(element, ...children) {
  element.replaceChildren(...inside(element, children));
}

/** Shows lines as a list; hides the element when there are none. Does not touch the page when the lines are the same as before. */
export function setLines(list, lines) {
  list.hidden = lines.length === 0;
  const now = lines.join("\n");
  if (list.dataset.lines !== now) {
    list.dataset.lines = now;
    replace(list, lines.map((line) => h("li", null, line)));
  }
}
