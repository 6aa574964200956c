// Slides without any service (`npm run e2e:static`): the slides of the store, exported, on nginx (shared/spec/static.md).
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Page, test } from "@playwright/test";
import { dragged } from "./dropping.ts";
import { ROOT, realSlide, wavescope } from "./service.ts";
import { REGION_FILE, SLIDES } from "./slides.ts";
import { WebServer } from "./webServer.ts";

/** Every slide is opened without a service. */
export const STATIC = process.env.WAVESCOPE_E2E_STATIC === "1";

/** An exported folder; one file by its address; one file of the disk, dropped on the page. */
export type Opened = "folder" | "file" | "dropped";

/** How the tests of this project open a slide; undefined: from a service. */
const opened = (): Opened | undefined => (test.info().project.metadata as { opened?: Opened }).opened;

/** The page of a slide. `query` begins with ? or #. */
export function slideAddress(slide: string, at: string, query = ""): string {
  const pages = {
    folder: `slides/${slide}/${query}`,
    file: `page/?file=../slides/${slide}.wsz${query}`,
    dropped: `page/${query}`,
  };
  const way = opened();
  return `${at}/${way ? pages[way] : `slides/${slide}${query}`}`;
}

/** Where slides are files of the disk: drops one on the page. */
export async function dropSlide(page: Page, slide: string): Promise<void> {
  if (opened() !== "dropped") return;
  await page.getByTestId("exported-start").waitFor();
  await dropFile(page, join(process.env.WAVESCOPE_E2E_EXPORTS!, "slides", `${slide}.wsz`));
}

export async function dropFile(page: Page, path: string): Promise<void> {
  const dataTransfer = await dragged(page, "slide.wsz", readFileSync(path));
  await page.dispatchEvent("body", "drop", { dataTransfer });
}

/** Exports what the tests open into `folder` and serves it; no service runs. */
export async function serveExports(store: string, folder: string): Promise<WebServer> {
  mkdirSync(join(folder, "slides"), { recursive: true });
  const real = realSlide(REGION_FILE) ? [SLIDES.region] : [];
  for (const slide of [SLIDES.specimen, SLIDES.planes, SLIDES.profiled, ...real]) {
    wavescope(store, ["export", slide, join(folder, "slides", slide), "--page"]);
    wavescope(store, ["export", slide, join(folder, "slides", `${slide}.wsz`)]);
  }
  cpSync(join(ROOT, "frontend/dist/exported"), join(folder, "page"), { recursive: true });
  process.env.WAVESCOPE_E2E_EXPORTS = folder;
  return WebServer.start(folder);
}
