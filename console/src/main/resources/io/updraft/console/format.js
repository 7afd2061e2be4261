// Formats figures. What is not known is a dash, never a zero.

const UNKNOWN = "–";

// Kept: toLocaleString would make a new one for each number.
const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/** A rate or a count with three digits: 950, 12.3k, 4.56M. */
export function quantity(value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  const size = Math.abs(value);
  if (size < 1000) {
    return size >= 100 || Number.isInteger(value) ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(size >= 1 ? 1 : 2);
  }
  for (const [unit, factor] of [["k", 1e3], ["M", 1e6], ["G", 1e9], ["T", 1e12]]) {
    const scaled = value / factor;
    if (Math.abs(scaled) < 999.5 || unit === "T") {
      return (Math.abs(scaled) >= 100 ? scaled.toFixed(0) : Math.abs(scaled) >= 10 ? scaled.toFixed(1) : scaled.toFixed(2)) + unit;
    }
  }
  return UNKNOWN;
}

/** A rate with its unit: 12.3k/s. */
export function rate(value) {
  return known(value) ? quantity(value) + "/s" : UNKNOWN;
}

/** A whole number with separators: 1,234,567. */
export function count(value) {
  return known(value) ? WHOLE.format(Math.round(value)) : UNKNOWN;
}

/** A share: 0.42 is 42%. */
export function percent(value) {
  return known(value) ? (value * 100).toFixed(value < 0.0995 && value > 0 ? 1 : 0) + "%" : UNKNOWN;
}

/** Nanoseconds in a fitting unit: 850 ns, 12.3 us, 4.5 ms, 1.2 s. */
export function nanos(value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  for (const [unit, factor] of [["ns", 1], ["us", 1e3], ["ms", 1e6], ["s", 1e9]]) {
    const scaled = value / factor;
    if (scaled < 999.5 || unit === "s") {
      return (scaled >= 100 || factor === 1 ? scaled.toFixed(0) : scaled >= 10 ? scaled.toFixed(1) : scaled.toFixed(2)) + " " + unit;
    }
  }
  return UNKNOWN;
}

/** Bytes in a fitting binary unit: 512 B, 1.5 MiB. */
export function bytes(value) {
  if (!known(value)) {
    return UNKNOWN;
  }
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let scaled = value;
  let unit = 0;
  while (scaled >= 1023.5 && unit < units.length - 1) {
    scaled /= 1024;
    unit++;
  }
  return (unit === 0 || scaled >= 100 ? scaled.toFixed(0) : scaled.toFixed(1)) + " " + units[unit];
}

/** Seconds as 5 s, 1 m 45 s, 2 h 07 m, 3 d 04 h. */
export function duration(seconds) {
  if (!known(seconds)) {
    return UNKNOWN;
  }
  const whole = Math.floor(seconds);
  const two = (part) => String(part).padStart(2, "0");
  if (whole < 60) {
    return whole + " s";
  }
  if (whole < 3600) {
    return Math.floor(whole / 60) + " m " + two(whole % 60) + " s";
  }
  if (whole < 86400) {
    return Math.floor(whole / 3600) + " h " + two(Math.floor(whole / 60) % 60) + " m";
  }
  return Math.floor(whole / 86400) + " d " + two(Math.floor(whole / 3600) % 24) + " h";
}

/** A time, ISO-8601 or milliseconds since the epoch, as local time of the day; with the date if it is another day. */
export function time(when) {
  const date = new Date(when ?? NaN);
  if (Number.isNaN(date.getTime())) {
    return UNKNOWN;
  }
  return date.toDateString() === new Date().toDateString() ? date.toLocaleTimeString("en-GB") : dateTime(date);
}

/** A time as local date and time of the day. */
export function dateTime(when) {
  const date = new Date(when ?? NaN);
  return Number.isNaN(date.getTime()) ? UNKNOWN : date.toLocaleDateString("en-CA") + " " + date.toLocaleTimeString("en-GB");
}

export function text(value) {
  return value === null || value === undefined || value === "" ? UNKNOWN : String(value);
}

/** The number in a word with its noun: 1 executor, 2 executors. */
export function plural(number, noun) {
  return count(number) + " " + noun + (number === 1 ? "" : "s");
}
