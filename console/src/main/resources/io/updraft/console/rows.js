// Lists and tables whose figures change each second: elements stay, so that focus, selection and open details stay too.

import { h, setLong } from "./dom.js";

/** Makes container show one element for each item, in this order. create(item) makes one, update(element, item) refreshes it. */
export function keyed(container, items, keyOf, create, update = () => {}) {
  const had = new Map([...container.children].map((element) => [element.dataset.key, element]));
  const wanted = new Set(items.map((item) => String(keyOf(item))));
  had.forEach((element, key) => wanted.has(key) || element.remove());
  let place = container.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let element = had.get(key);
    if (element === undefined) {
      element = create(item);
      element.dataset.key = key;
      had.set(key, element);
    }
    if (element === place) {
      place = place.nextElementSibling;
    } else {
      container.insertBefore(element, place);
    }
    update(element, item);
  }
}

/**
 * Makes a table. A column has head, and text(row) or, for more than text, fill(cell, row), which is called when memo(row) has
 * changed; number aligns to the right, wrap allows several lines. keyOf(row) tells which row is which.
 */
export function liveTable(label, columns, keyOf, none = "none") {
  const body = h("tbody");
  const empty = h("p.soft", { hidden: true }, none);
  const style = (column) => (column.number ? ".n" : column.wrap ? ".wrap" : "");
  const head = columns.map((column) => h("th" + style(column), { scope: "col", title: column.title }, column.head));
  const table = h("table.live", { "aria-label": label }, h("thead", null, h("tr", null, head)), body);
  const scroll = h("div.scroll", { tabindex: "0", role: "group", "aria-label": label }, table);
  const create = () => h("tr", null, columns.map((column) => h("td" + style(column), null, column.wrap && column.text ? h("div.clamp") : null)));
  const update = (line, row) => {
    columns.forEach((column, i) => {
      const cell = line.children[i];
      if (column.text) {
        setLong(column.wrap ? cell.firstChild : cell, column.text(row));
        return;
      }
      const memo = JSON.stringify(column.memo(row));
      if (cell.dataset.memo !== memo) {
        cell.dataset.memo = memo;
        cell.replaceChildren();
        column.fill(cell, row);
      }
    });
  };
  return {
    element: h("div", null, scroll, empty),
    update(rows) {
      scroll.hidden = rows.length === 0;
      empty.hidden = rows.length > 0;
      keyed(body, rows, keyOf, create, update);
    },
  };
}

/** Makes a panel with a heading. */
export function panel(title, ...children) {
  return h("section.panel", { "aria-label": title }, h("h2", null, title), children);
}
