// What the benches in a browser share: the slide, a running service, tables.
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Stop, at, inVenv, launch, run } from "../repository.mjs";
import { systemChromium } from "../setup.mjs";

export const VIEWER_NEEDS = { nginx: "-v", vips: "--version" };
const PACKAGES = { nginx: "nginx", vips: "libvips-tools" };

/** Stops with the names of all programs that are not installed. `programs`: how each is asked for its version. */
export async function needPrograms(bench, programs) {
  const found = await Promise.all(
    Object.entries(programs).map(async ([name, flag]) => [name, (await run(name, [flag])).code === 0]),
  );
  const missing = found.filter(([, there]) => !there).map(([name]) => `${name} (Debian: ${PACKAGES[name]})`);
  if (missing.length > 0)
    throw new Stop(`The bench ${bench} needs ${missing.join(" and ")}, not installed here.`, "", 2);
}

/** The Chromium to measure in: the machine's own, else Playwright's. Stops if there is none. */
export function chromiumFile(playwright, own = systemChromium()) {
  const file = own ?? playwright.executablePath();
  if (existsSync(file)) return file;
  throw new Stop(
    `This bench needs Chromium (Debian: chromium), not installed here; nor is Playwright's ${file}.`,
    "",
    2,
  );
}

/** The first argument, else the shared slide. */
export function slideFile([given]) {
  if (given && !existsSync(given)) throw new Stop(`There is no slide file ${resolve(given)}.`, "", 2);
  if (given) return resolve(given);
  const shared = join(
    process.env.WAVESCOPE_TEST_DATA ?? at("..", "shared", "data"),
    "minerva_CRC01_HE_17408x14336.tif",
  );
  if (existsSync(shared)) return shared;
  throw new Stop("Name a slide file to measure on: the shared one is not here.", "", 2);
}

export function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/** The real service on a store; gives its address. It ends with this command. */
export async function startService(store) {
  const port = await freePort();
  const child = launch(inVenv("wavescope"), ["serve", "--port", String(port), "--store", store], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { WAVESCOPE_LOG_LEVEL: "warning", ...process.env },
  });
  for (let i = 0; i < 800 && child.exitCode === null; i += 1, await sleep(50)) {
    if ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok) return `http://127.0.0.1:${port}`;
  }
  throw new Stop("The service did not start.");
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Prints a table: the first column left, the others right. */
export function table(title, columns, rows) {
  const widths = columns.map((_, i) => Math.max(...[columns, ...rows].map((row) => row[i].length)));
  console.log(`\n${title}`);
  for (const row of [columns, ...rows])
    console.log(`  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  ")}`);
}
