// Pan and zoom of an SVG drawing: by drag, keys, ctrl + wheel, two fingers and buttons.

const SMALLEST = 0.02;
const LARGEST = 2.5;
const STEP = 1.25;
const KEY_PAN = 60;
const PAN_KEYS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** A mouse that moves less while its button is down clicks. */
const CLICK_PIXELS = 4;

/** Moves and scales the group world within element, and calls changed at most once a frame. */
export class Viewport {
  x = 0;
  y = 0;
  scale = 1;
  #element;
  #world;
  #changed;
  #size = { width: 1, height: 1 };
  #content = null;
  #fitted = true;
  #waiting = false;
  #pointers = new Map();
  #moved = 0;

  constructor(element, world, changed) {
    this.#element = element;
    this.#world = world;
    this.#changed = changed;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      element.addEventListener(end, (event) => this.#pointers.delete(event.pointerId));
    }
    element.addEventListener("click", (event) => this.#moved > CLICK_PIXELS && event.preventDefault(), true);
    element.addEventListener("dragstart", (event) => event.preventDefault());
    element.addEventListener("keydown", (event) => this.#key(event));
    element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    new ResizeObserver((entries) => this.#resized(entries[entries.length - 1].contentRect)).observe(element);
  }

  /** The part of the drawing that is in view. */
  view() {
    const { width, height } = this.#size;
    const left = -this.x / this.scale;
    const top = -this.y / this.scale;
    return { left, top, right: left + width / this.scale, bottom: top + height / this.scale };
  }

  /** Sets what fit() shows: the size of the drawing. */
  setContent(width, height) {
    this.#content = { width, height };
    this.fit();
  }

  fit() {
    if (this.#content === null) {
      return;
    }
    const { width, height } = this.#size;
    this.scale = Math.max(SMALLEST, Math.min(1, width / this.#content.width, height / this.#content.height));
    this.x = (width - this.#content.width * this.scale) / 2;
    this.y = (height - this.#content.height * this.scale) / 2;
    this.#fitted = true;
    this.#apply();
  }

  zoom(factor, x = this.#size.width / 2, y = this.#size.height / 2) {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.#fitted = false;
    this.#apply();
  }

  zoomIn() {
    this.zoom(STEP);
  }

  zoomOut() {
    this.zoom(1 / STEP);
  }

  /** Brings a box of the drawing into view, if it is not. */
  reveal({ x, y, width, height }) {
    const view = this.view();
    if (x < view.left || y < view.top || x + width > view.right || y + height > view.bottom) {
      this.x = this.#size.width / 2 - (x + width / 2) * this.scale;
      this.y = this.#size.height / 2 - (y + height / 2) * this.scale;
      this.#fitted = false;
      this.#apply();
    }
  }

  #pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.#fitted = false;
    this.#apply();
  }

  #resized({ width, height }) {
    this.#size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.#fitted ? this.fit() : this.#apply();
  }

  #down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) {
      return;
    }
    if (this.#pointers.size === 0) {
      this.#moved = 0;
    }
    this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) {
      return;
    }
    if (event.pointerType === "mouse" && event.buttons === 0) {
      this.#pointers.delete(event.pointerId);
      return;
    }
    const now = [event.clientX, event.clientY];
    this.#moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
    if (this.#moved > CLICK_PIXELS && !this.#element.hasPointerCapture(event.pointerId)) {
      this.#element.setPointerCapture(event.pointerId);
    }
    const other = [...this.#pointers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const frame = this.#element.getBoundingClientRect();
      const distance = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
      this.zoom(distance(now) / Math.max(1, distance(before)), (now[0] + other[0]) / 2 - frame.left, (now[1] + other[1]) / 2 - frame.top);
    }
    const part = other ? 0.5 : 1;
    this.#pan((now[0] - before[0]) * part, (now[1] - before[1]) * part);
    this.#pointers.set(event.pointerId, now);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const pan = PAN_KEYS[event.key];
    if (pan) {
      this.#pan(pan[0] * KEY_PAN, pan[1] * KEY_PAN);
    } else if (event.key === "+" || event.key === "=") {
      this.zoomIn();
    } else if (event.key === "-") {
      this.zoomOut();
    } else if (event.key === "0") {
      this.fit();
    } else {
      return;
    }
    event.preventDefault();
  }

  #wheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const frame = this.#element.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
    }
  }

  #apply() {
    if (!this.#waiting) {
      this.#waiting = true;
      requestAnimationFrame(() => {
        this.#waiting = false;
        this.#world.setAttribute("transform", "translate(" + this.x + " " + this.y + ") scale(" + this.scale + ")");
        this.#changed();
      });
    }
  }
}
