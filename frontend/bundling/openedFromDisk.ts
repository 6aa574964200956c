import type { Plugin } from "vite";
import { textsIn } from "./texts.ts";

const STYLE = "max-width:36rem;margin:15vh auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif";

/**
 * What the page of exported slides says where it is opened from the disk (SH33), out of the catalogue of texts. Browsers run no modules
 * there: it is a script of its own, in `file`, which policies of servers allow as they allow the page's others.
 */
export function openedFromDisk(file: string): Plugin {
  return {
    name: "wavescope-opened-from-disk",
    transformIndexHtml: () => [{ tag: "script", attrs: { src: `./${file}` }, injectTo: "body" }],
    generateBundle() {
      this.emitFile({ type: "asset", fileName: file, source: scriptOf() });
    },
  };
}

function scriptOf(): string {
  const texts = textsIn("exported.json");
  const of = (key: string, tag: string): string => `<${tag}>${texts[key.replace("exported.", "")]}</${tag}>`;
  const hints = ["exported.diskServer", "exported.diskHere", "exported.diskArchive"]
    .map((key) => of(key, "li"))
    .join("");
  const main = `<main style="${STYLE}">${of("exported.diskTitle", "h1")}${of("exported.diskWhy", "p")}<ul>${hints}</ul></main>`;
  return `if (location.protocol === "file:") document.getElementById("root").innerHTML = ${JSON.stringify(main)};\n`;
}
