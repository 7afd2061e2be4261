// Makes elements. Text is always set as text: names, keys and errors come from users' programs.

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element: h("a.warn", {href: "#/", onclick: f}, "text", child, ...). Attributes that are null or false are left out. */
export function h(tag, attributes, ...children) {
  return make((name) => document.createElement(name), tag, attributes, children);
}

/** Makes an SVG element. */
export function svg(tag, attributes, ...children) {
  return make((name) => document.createElementNS(SVG, name), tag, attributes, children);
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
      element.setAttribute(key, value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets the text of an element if it is another one: most figures stay the same for a second, and the page need not be laid out anew. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Replaces the children of an element. */
export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
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
