// One plot with its legend, its text alternative and its table.

import { h, replace, setText } from "./dom.js";
import { time } from "./format.js";

const HEIGHT = 150;
const SYNC = "timeline";

/** Makes a plot. cursorAt(seconds or null) is called when the pointer moves over it. */
export function newPlot(first, cursorAt) {
  let plot = first;
  let columns = [];
  let bounds = { from: 0, end: 0, step: 1, moves: [] };
  let drawing = null;
  let signature = "";
  let cursor = null;
  const legend = h("ul.legend");
  const area = h("div.area", { role: "img" });
  const table = h("div.scroll.values", { tabindex: "0", role: "group", "aria-label": first.title + " as table", hidden: true });
  const toggle = h("button.small", { type: "button", "aria-pressed": "false", "aria-label": "Show " + first.title + " as table" }, "Table");
  toggle.addEventListener("click", () => {
    const open = table.hidden;
    toggle.setAttribute("aria-pressed", String(open));
    table.hidden = !open;
    area.hidden = open;
    open ? drawTable() : resize();
  });
  const element = h("figure.plot", { "aria-label": first.title }, h("figcaption", null, h("h3", null, first.title), toggle), legend, area, table);

  function update(newer, steps, newBounds) {
    plot = newer;
    bounds = newBounds;
    columns = columnsOf(plot, steps, bounds.step);
    setLegend();
    area.setAttribute("aria-label", summary(plot, columns));
    if (!table.hidden) {
      drawTable();
    }
  }

  /** Draws; the element must be in the page. */
  function show() {
    if (area.hidden || columns.length === 0) {
      return;
    }
    const now = plot.series.map((series) => series.key).join(" ");
    if (drawing === null || now !== signature) {
      drawing?.destroy();
      signature = now;
      drawing = new uPlot(options(), columns, area);
    } else {
      drawing.setData(columns);
    }
  }

  function options() {
    const ink = () => colour("--soft");
    const axis = { stroke: ink, grid: { stroke: () => colour("--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif" };
    return {
      width: Math.max(200, area.clientWidth),
      height: HEIGHT,
      padding: [8, 22, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: SYNC }, drag: { x: false, y: false }, points: { size: 6 }, y: false },
      scales: { x: { range: () => [bounds.from, Math.max(bounds.end, bounds.from + 1)] }, y: plot.log ? { distr: 3, range: decades } : { range: fromZero } },
      axes: [
        { ...axis, space: 52, values: (u, ticks) => ticks.map(clock), size: 24, gap: 4 },
        {
          ...axis,
          size: 66,
          gap: 4,
          space: plot.log ? 16 : 28,
          incrs: plot.incrs,
          ...(plot.log ? { filter: onlyDecades, grid: { ...axis.grid, filter: onlyDecades } } : {}),
          values: (u, ticks) => ticks.map((tick) => (tick === null ? "" : plot.format(tick))),
        },
      ],
      series: [
        {},
        ...plot.series.map((series, i) => ({
          label: series.label,
          stroke: () => colour("--series-" + (i + 1)),
          fill: plot.events ? () => colour("--series-" + (i + 1)) : undefined,
          width: plot.events ? 0 : 1.5,
          paths: plot.events ? uPlot.paths.bars({ size: [0.8, 12], align: 1 }) : undefined,
          points: { show: false, filter: plot.events ? undefined : isolated, size: 4 },
        })),
      ],
      hooks: { draw: [drawMoves], setCursor: [moved] },
    };
  }

  function fromZero(u, least, most) {
    const top = Math.max(plot.atLeast ?? 0, most ?? 0);
    return [0, top === 0 ? 1 : top * 1.08];
  }

  function decades(u, least, most) {
    const low = 10 ** Math.floor(Math.log10(least > 0 ? least : 1e3));
    const high = 10 ** Math.ceil(Math.log10(most > 0 ? most : 1e6));
    return [low, high > low ? high : low * 10];
  }

  function drawMoves(u) {
    u.ctx.save();
    u.ctx.strokeStyle = colour("--warn");
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const move of bounds.moves) {
      const at = Date.parse(move.time) / 1000;
      if (at >= bounds.from && at <= bounds.end) {
        const x = Math.round(u.valToPos(at, "x", true)) + 0.5;
        u.ctx.beginPath();
        u.ctx.moveTo(x, u.bbox.top);
        u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
        u.ctx.stroke();
      }
    }
    u.ctx.restore();
  }

  function moved(u) {
    const index = u.cursor.left >= 0 ? u.cursor.idx ?? null : null;
    if (index !== cursor) {
      cursor = index;
      setLegend();
      cursorAt(index === null ? null : columns[0][index]);
    }
  }

  /** The legend shows the values under the cursor, or the latest. */
  function setLegend() {
    while (legend.childElementCount > plot.series.length) {
      legend.lastChild.remove();
    }
    plot.series.forEach((series, i) => {
      if (legend.childElementCount <= i) {
        legend.append(h("li.series-" + (i + 1), null, h("i", { "aria-hidden": "true" }), h("span"), h("b")));
      }
      const [, label, value] = legend.children[i].children;
      setText(label, series.label);
      const column = columns[i + 1];
      setText(value, cursor === null ? newest(plot, column) : plot.format(column[cursor]));
    });
  }

  function drawTable() {
    const rows = columns[0].map((at, i) => [at, ...columns.slice(1).map((column) => column[i])]).filter((row) => row.slice(1).some((value) => value !== null));
    replace(
      table,
      h(
        "table",
        null,
        h("thead", null, h("tr", null, h("th", { scope: "col" }, "Time"), plot.series.map((series) => h("th.n", { scope: "col" }, series.label)))),
        h("tbody", null, rows.reverse().map(([at, ...values]) => h("tr", null, h("td", null, time(at * 1000)), values.map((value) => h("td.n", null, plot.format(value)))))),
      ),
    );
  }

  function resize() {
    if (area.hidden) {
      return;
    }
    if (drawing === null) {
      show();
    } else if (area.clientWidth > 0 && area.clientWidth !== drawing.width) {
      drawing.setSize({ width: area.clientWidth, height: HEIGHT });
    }
    drawing?.setData(columns);
  }

  return {
    element,
    update,
    show,
    resize,
    recolour: () => drawing?.redraw(),
    remove() {
      drawing?.destroy();
      element.remove();
    },
  };
}

/** Returns the data of uPlot: the times, then the values of each series. Where steps are missing, there is a gap. */
function columnsOf(plot, steps, stepSeconds) {
  const columns = [[], ...plot.series.map(() => [])];
  let before = null;
  for (const step of steps) {
    if (before !== null && step.at - before.at > 1.5 * Math.max(stepSeconds, before.seconds ?? 0)) {
      columns[0].push(before.at + stepSeconds);
      columns.slice(1).forEach((column) => column.push(null));
    }
    columns[0].push(step.at);
    plot.series.forEach((series, i) => {
      const value = series.value(step);
      columns[i + 1].push(plot.log && !(value > 0) ? null : value);
    });
    before = step;
  }
  return columns;
}

/** Says the latest value, or how many events there were. */
function newest(plot, column) {
  if (plot.events) {
    return plot.format(column.reduce((sum, value) => sum + (value ?? 0), 0)) + " in all";
  }
  return plot.format(latest(column));
}

function latest(column) {
  return column?.length > 0 ? column[column.length - 1] : null;
}

function summary(plot, columns) {
  const each = plot.series.map((series, i) => {
    const values = columns[i + 1].filter((value) => value !== null);
    return values.length === 0
      ? series.label + " not known"
      : series.label + (plot.events ? " " : " latest ") + newest(plot, columns[i + 1]) + ", least " + plot.format(Math.min(...values)) + ", most " + plot.format(Math.max(...values));
  });
  return plot.title + ": " + each.join("; ");
}

/** A value between two gaps is a point, as no line goes to it. */
function isolated(u, series) {
  const values = u.data[series];
  const alone = [];
  for (let i = 0; i < values.length; i++) {
    if (values[i] !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null) {
      alone.push(i);
    }
  }
  return alone.length > 0 ? alone : null;
}

function onlyDecades(u, ticks) {
  return ticks.map((tick) => (Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-6 ? tick : null));
}

function clock(seconds) {
  const whole = new Date(seconds * 1000).toLocaleTimeString("en-GB");
  return whole.endsWith(":00") ? whole.slice(0, 5) : whole;
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
