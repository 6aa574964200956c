// The two pages that a bench compares: the microscope on our service, OpenSeadragon on a DZI of the same slide (JPEG, quality 90) by nginx.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Stop, at, inVenv, run } from "../repository.mjs";

/** The same slide twice, for changes from one to the other. */
export const SLIDES = ["bench", "bench-next"];

/** Store and DZI in a folder, unless an earlier run left them. Gives the slide's size. */
export async function prepare(folder, slide) {
  for (const id of SLIDES) {
    if (existsSync(join(folder, `${id}.done`))) continue;
    const ingest = await run(inVenv("wavescope"), [
      "ingest",
      slide,
      "--id",
      id,
      "--store",
      join(folder, "store"),
      "--json",
    ]);
    if (ingest.code !== 0) throw new Stop(`${slide} could not be ingested.`, ingest.output);
    const dzsave = await run(
      "vips",
      ["dzsave", slide, join(folder, "www", id), "--suffix", ".jpg[Q=90]"],
      mkdirSync(join(folder, "www"), { recursive: true }),
    );
    if (dzsave.code !== 0) throw new Stop("vips dzsave is needed for the comparison and did not work.", dzsave.output);
    writeFileSync(join(folder, `${id}.done`), "");
  }
  copyFileSync(at("shared/tools/bench/peer.html"), join(folder, "www", "index.html"));
  copyFileSync(
    at("frontend/node_modules/openseadragon/build/openseadragon/openseadragon.min.js"),
    join(folder, "www", "openseadragon.min.js"),
  );
  const info = await run(inVenv("wavescope"), ["info", SLIDES[0], "--json", "--store", join(folder, "store")]);
  const { width, height } = JSON.parse(info.output);
  return { width, height };
}

/** How the microscope's page is opened, moved, changed, and when it has finished; `address`: of the service. */
export function microscopePage(address) {
  return {
    shell: `${address}/`,
    open: ({ x, y, scale }) => `${address}/slides/${SLIDES[0]}#x=${x}&y=${y}&scale=${scale}`,
    show: ({ x, y, scale }) => window.__wavescope.viewport.show({ l0_x: x, l0_y: y, scale }, true),
    change: (slide) => {
      history.pushState(null, "", `/slides/${slide}`);
      dispatchEvent(new Event("wavescope:navigate"));
    },
    sharp: () => {
      try {
        return (
          ["sharp", "exact"].includes(window.__wavescope.fidelity()) &&
          window.__wavescope.slide().id === window.benchWanted
        );
      } catch {
        return false;
      }
    },
    finished: () => {
      try {
        return window.__wavescope.fidelity() === "exact" && window.__wavescope.slide().id === window.benchWanted;
      } catch {
        return false;
      }
    },
  };
}

/** The same of the peer's page, with a canvas of this size; `address`: of nginx. */
export function peerPage(address, { width, height }) {
  const canvas = `width=${width}&height=${height}`;
  return {
    shell: `${address}/?${canvas}`,
    open: ({ x, y, scale }) => `${address}/?slide=${SLIDES[0]}&${canvas}&x=${x}&y=${y}&scale=${scale}`,
    show: (place) => window.bench.show(place),
    change: (slide) => window.bench.change(slide),
    sharp: () => window.bench?.finished() === true,
    finished: () => window.bench?.finished() === true,
  };
}

/** The device pixels that the microscope's page has for the slide in a window of this size. */
export async function stageSize(browser, service, viewport) {
  const page = await browser.newPage({ viewport });
  await page.goto(`${service}/slides/${SLIDES[0]}`);
  const canvas = page.locator(".openseadragon-canvas canvas").first();
  await canvas.waitFor();
  const { width, height } = await canvas.boundingBox();
  await page.close();
  return { width: Math.round(width), height: Math.round(height) };
}
