// The geometry of edges: rounded lines, and free places for their labels.

const RADIUS = 14;
const LABEL = { width: 66, height: 15 };
const CELL = 80;

/** Parts of the way at which a label may stand, best first. */
const PARTS = [0.5, 0.38, 0.62, 0.25, 0.75];

/** Returns the path through the points, with rounded bends; a straight line between distant layers stays straight. */
export function roundedPath(points) {
  let path = "M" + points[0].join(" ");
  for (let i = 1; i < points.length - 1; i++) {
    const before = towards(points[i], points[i - 1]);
    const after = towards(points[i], points[i + 1]);
    path += "L" + before.join(" ") + "Q" + points[i].join(" ") + " " + after.join(" ");
  }
  return path + "L" + points[points.length - 1].join(" ");
}

function towards([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y);
  const part = length === 0 ? 0 : Math.min(RADIUS, length / 2) / length;
  return [round(x + (toX - x) * part), round(y + (toY - y) * part)];
}

function round(value) {
  return Math.round(value * 10) / 10;
}

/** Returns for each edge the middle of its label, or null if there is no free place. */
export function labelPlaces(graph) {
  const taken = new Map();
  for (const { x, y, width, height } of graph.nodes) {
    take(taken, { left: x, top: y - 10, right: x + width, bottom: y + height });
  }
  return graph.edges.map(({ points }) => {
    for (const part of PARTS) {
      const [x, y] = pointAt(points, part);
      const box = { left: x - LABEL.width / 2, right: x + LABEL.width / 2, top: y - LABEL.height / 2, bottom: y + LABEL.height / 2 };
      if (isFree(taken, box)) {
        take(taken, box);
        return [round(x), round(y)];
      }
    }
    return null;
  });
}

function pointAt(points, part) {
  const lengths = points.slice(1).map(([x, y], i) => Math.hypot(x - points[i][0], y - points[i][1]));
  let left = part * lengths.reduce((sum, length) => sum + length, 0);
  for (let i = 0; i < lengths.length; i++) {
    if (left <= lengths[i] && lengths[i] > 0) {
      const share = left / lengths[i];
      return [points[i][0] + (points[i + 1][0] - points[i][0]) * share, points[i][1] + (points[i + 1][1] - points[i][1]) * share];
    }
    left -= lengths[i];
  }
  return points[points.length - 1];
}

function* cells(box) {
  for (let x = Math.floor(box.left / CELL); x <= Math.floor(box.right / CELL); x++) {
    for (let y = Math.floor(box.top / CELL); y <= Math.floor(box.bottom / CELL); y++) {
      yield x + " " + y;
    }
  }
}

function take(taken, box) {
  for (const cell of cells(box)) {
    taken.has(cell) ? taken.get(cell).push(box) : taken.set(cell, [box]);
  }
}

function isFree(taken, box) {
  for (const cell of cells(box)) {
    if (taken.get(cell)?.some((other) => other.left < box.right && other.right > box.left && other.top < box.bottom && other.bottom > box.top)) {
      return false;
    }
  }
  return true;
}
