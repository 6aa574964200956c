import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const PLACE = '"<!--opened-from-disk-->"';

/** What the page of exported slides says where it is opened from the disk, out of the catalogue of texts: no module runs there (SH33). */
export function openedFromDisk(catalogue: string): Plugin {
  return {
    name: "wavescope-opened-from-disk",
    transformIndexHtml(html) {
      const texts = JSON.parse(readFileSync(catalogue, "utf8")) as Readonly<Record<string, string>>;
      const of = (key: string, tag: string): string => `<${tag}>${texts[key]}</${tag}>`;
      const hints = ["diskServer", "diskHere", "diskArchive"].map((key) => of(key, "li")).join("");
      const style = "max-width:36rem;margin:15vh auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif";
      const main = `<main style="${style}">${of("diskTitle", "h1")}${of("diskWhy", "p")}<ul>${hints}</ul></main>`;
      return html.replace(PLACE, JSON.stringify(main).replaceAll("</", "<\\/"));
    },
  };
}
