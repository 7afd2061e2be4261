// A table that can be sorted and filtered. Only the rows in view are in the document, so 1,000 rows cost as much as 40.

import { h, replace, setLong, setText } from "./dom.js";
import { count as counted, plural } from "./format.js";

const ROW_HEIGHT = 30;

/** Rows that are drawn above and below those in view, so that Tab reaches the next one. */
const MARGIN = 8;

/**
 * Draws a table into root and returns {update(rows)}.
 *
 * A column is {name, title?, width (of the column, pixels), numeric?, value(row) for sorting, draw(row) -> text} or has fill(cell, row)
 * instead of draw. The key of a row names it; the text of a row is what the filter looks at.
 */
export function newTable(root, { label, columns, key, text }) {
  const state = { rows: [], order: [], sort: null, descending: true, filter: "", open: true, used: false };
  const shown = new Map();
  const above = h("td", { colspan: columns.length });
  const below = h("td", { colspan: columns.length });
  const body = h("tbody");
  const heads = columns.map((column, i) => newHead(column, () => sortBy(i)));
  const table = h(
    "table.figures",
    { "aria-label": label },
    h("colgroup", null, columns.map((column) => sized(h("col"), column.width))),
    h("thead", null, h("tr", { "aria-rowindex": 1 }, heads)),
    h("tbody.space", { "aria-hidden": "true" }, h("tr", null, above)),
    body,
    h("tbody.space", { "aria-hidden": "true" }, h("tr", null, below)),
  );
  table.style.minWidth = columns.reduce((sum, column) => sum + column.width, 0) + "px";
  const count = h("span.soft", { role: "status" });
  const filter = h("input", { type: "search", placeholder: "Filter by name", "aria-label": "Filter " + label + " by name" });
  const window = h("div.window", { tabindex: 0, role: "region", "aria-label": "Table of " + label }, table);
  replace(root, h("div.tools", null, filter, count), window);

  filter.addEventListener("input", () => {
    state.filter = filter.value.toLowerCase();
    arrange();
    draw();
  });
  window.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(window);
  // Rows keep their order while the user points at one or has the focus in one.
  body.addEventListener("pointerenter", () => (state.used = true));
  body.addEventListener("pointerleave", () => (state.used = false));
  new IntersectionObserver((entries) => {
    state.open = entries[entries.length - 1].isIntersecting;
    if (state.open) {
      draw();
    }
  }).observe(root);

  function sortBy(i) {
    if (state.sort !== i) {
      Object.assign(state, { sort: i, descending: columns[i].numeric === true });
    } else if (state.descending === (columns[i].numeric === true)) {
      state.descending = !state.descending;
    } else {
      state.sort = null;
    }
    heads.forEach((head, each) => {
      head.setAttribute("aria-sort", state.sort !== each ? "none" : state.descending ? "descending" : "ascending");
    });
    arrange();
    draw();
  }

  function arrange() {
    const order = state.filter === "" ? [...state.rows] : state.rows.filter((row) => text(row).toLowerCase().includes(state.filter));
    if (state.sort !== null) {
      const { value } = columns[state.sort];
      const sign = state.descending ? -1 : 1;
      order.sort((a, b) => sign * compare(value(a), value(b), sign));
    }
    state.order = order;
    setText(count, order.length === state.rows.length ? plural(order.length, "row") : counted(order.length) + " of " + plural(state.rows.length, "row"));
    table.setAttribute("aria-rowcount", order.length + 1);
  }

  function rearrange() {
    if (!(state.used || body.contains(document.activeElement)) || state.order.length === 0) {
      arrange();
      return;
    }
    const now = new Map(state.rows.map((row) => [key(row), row]));
    state.order = state.order.map((row) => now.get(key(row)) ?? row);
  }

  function draw() {
    if (!state.open) {
      return;
    }
    const first = Math.max(0, Math.floor(window.scrollTop / ROW_HEIGHT) - MARGIN);
    const last = Math.min(state.order.length, Math.ceil((window.scrollTop + window.clientHeight) / ROW_HEIGHT) + MARGIN);
    const rows = state.order.slice(Math.min(first, last), last);
    const keys = new Set(rows.map(key));
    for (const [id, element] of shown) {
      if (!keys.has(id)) {
        element.row.remove();
        shown.delete(id);
      }
    }
    rows.forEach((row, i) => place(row, i, first + i));
    above.style.height = first * ROW_HEIGHT + "px";
    below.style.height = Math.max(0, state.order.length - last) * ROW_HEIGHT + "px";
  }

  function place(row, i, index) {
    let element = shown.get(key(row));
    if (!element) {
      element = newRow(columns);
      shown.set(key(row), element);
    }
    if (body.children[i] !== element.row) {
      body.insertBefore(element.row, body.children[i] ?? null);
    }
    if (element.index !== index) {
      element.index = index;
      element.row.setAttribute("aria-rowindex", index + 2);
    }
    columns.forEach((column, c) => {
      if (column.fill) {
        column.fill(element.cells[c], row);
        return;
      }
      const now = column.draw(row);
      if (element.texts[c] !== now) {
        element.texts[c] = now;
        setLong(element.cells[c], now);
      }
    });
  }

  return {
    update(rows) {
      state.rows = rows;
      rearrange();
      draw();
    },
  };
}

function newHead(column, work) {
  const button = h("button.sort", { type: "button", title: column.title, onclick: work }, column.name);
  return h(column.numeric ? "th.n" : "th", { scope: "col", "aria-sort": "none" }, button);
}

function newRow(columns) {
  const cells = columns.map((column, i) => (i === 0 ? h("th", { scope: "row" }) : h(column.numeric ? "td.n" : "td")));
  return { row: h("tr", null, cells), cells, texts: [], index: -1 };
}

function sized(element, width) {
  element.style.width = width + "px";
  return element;
}

/** What is unknown comes last in both directions. */
function compare(a, b, sign) {
  if (a === null || b === null) {
    return a === b ? 0 : a === null ? sign : -sign;
  }
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}
