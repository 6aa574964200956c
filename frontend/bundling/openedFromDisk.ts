import type { Plugin } from "vite";
import { type Texts, textsIn } from "./texts.ts";

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
  const english = textsIn("en", "exported");
  const pages = { en: mainOf(english), de: mainOf({ ...english, ...textsIn("de", "exported") }) };
  return `const pages = ${JSON.stringify(pages)};
const language = navigator.languages.map((tag) => tag.slice(0, 2)).find((one) => one in pages) ?? "en";
if (location.protocol === "file:") {
  document.documentElement.lang = language;
  document.getElementById("root").innerHTML = pages[language];
}
`;
}

function mainOf(texts: Texts): string {
  const of = (key: string, tag: string): string => `<${tag}>${texts[key.replace("exported.", "")]}</${tag}>`;
  const hints = ["exported.diskServer", "exported.diskHere", "exported.diskArchive"]
    .map((key) => of(key, "li"))
    .join("");
  return `<main style="${STYLE}">${of("exported.diskTitle", "h1")}${of("exported.diskWhy", "p")}<ul>${hints}</ul></main>`;
}
