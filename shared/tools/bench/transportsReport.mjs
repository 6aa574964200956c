// The table of the bench transports: medians, ratios to the DZI, and what each target says of them.
import { median, table } from "./browser.mjs";

/** What is compared: of which runs, and at most which part of the DZI's time it may need. */
const MEASURED = [
  ["opening, all new", ({ fresh }) => [fresh], 0.7],
  ["opening, page known", ({ open }) => [open], 0.7],
  ["next field", ({ field }) => [field], 0.5],
  ["walk, rests", ({ rests }) => rests, 0.5],
  ["change of slide", ({ change }) => [change], 0.5],
];
const PARTS = { useful: "useful picture", sharp: "full sharpness" };
/** What a run may be slower than single requests before it counts: times of two runs differ by so much. */
const NOISE = 1.1;
/** Milliseconds: less is not seen. */
const UNSEEN = 50;

export function report({ rate, delay }, steps, results) {
  const used = Object.keys(results);
  const value = (name, read) => (results[name] ? median(results[name].flatMap(read)) : NaN);
  const rows = [];
  for (const [title, of, most] of MEASURED) {
    for (const [part, word] of Object.entries(PARTS)) {
      const times = used.map((name) => value(name, (run) => of(run).map((one) => one[part])));
      if (times.some(Number.isNaN)) continue;
      rows.push([`${title}: ${word}`, ...times.map((time) => time.toFixed(0)), ...verdict(used, times, most)]);
    }
  }
  const figures = (title, read) =>
    rows.push([title, ...used.map((name) => value(name, (run) => [read(run)]).toFixed(0)), "", "", ""]);
  figures("opening, all new: kB over the link", ({ fresh }) => fresh.bytes / 1000);
  figures("opening, page known: kB over the link", ({ open }) => open.bytes / 1000);
  figures("walk: kB over the link", ({ bytes }) => bytes / 1000);
  figures("walk: blocks pushed", ({ pushed }) => pushed);
  const runs = results[used[0]].length;
  const title = `${rate}, ${delay} each way; ${runs} runs, walks of ${steps} steps; medians, ms`;
  table(title, ["", ...used, "auto / dzi", "target", "beside get"], rows);
  workers(results);
}

/** The ratio of what the page chooses to the DZI, what it shall be, and what is slower than single requests. */
function verdict(used, times, most) {
  const [get, auto, dzi] = ["get", "auto", "dzi"].map((name) => times[used.indexOf(name)]);
  const ratio = auto / dzi;
  const slower = auto > Math.max(NOISE * get, get + UNSEEN) ? "SLOWER" : "";
  if (Number.isNaN(ratio)) return ["", "", slower];
  return [ratio.toFixed(2), `<= ${most}: ${ratio <= most ? "met" : "MISSED"}`, slower];
}

/** What the service worker costs or saves at an opening of a known page. */
function workers({ auto = [] }) {
  const [bare, open] = ["bare", "open"].map((name) => auto.map((run) => run[name]));
  if (bare.length === 0) return;
  const times = (all) =>
    ["useful", "sharp"].map((part) => median(all.map((one) => one[part])).toFixed(0)).join(" and ");
  console.log(`  Opening, page known: ${times(open)} ms with its service worker, ${times(bare)} ms without.`);
}
