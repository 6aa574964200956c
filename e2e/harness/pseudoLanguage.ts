// A language that nobody speaks, made from the English texts by machine: accents, a third longer, written from right to left. It takes the place of German in one page.
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { ROOT } from "./service.ts";

const ENGLISH = join(ROOT, "frontend", "core", "src", "i18n", "en");
const PLAIN = "aceginorsuyACEGINORSUY";
const ACCENTED = "äçéğíñóřšúýÄÇÉĞÍÑÓŘŠÚÝ";
/** Right-to-left embedding, and its end. */
const [RTL, END] = ["\u202b", "\u202c"];
const LONGER = 0.3;

/** Values ({{name}}) and markup stay as they are. */
export function pseudo(text: string): string {
  const accented = text
    .split(/(\{\{\w+\}\}|<[^>]*>)/)
    .map((part, i) => (i % 2 ? part : part.replace(/\p{L}/gu, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter)))
    .join("");
  const letters = text.replace(/\{\{\w+\}\}|<[^>]*>/g, "").length;
  return `${RTL}${accented}${"~".repeat(Math.ceil(letters * LONGER))}${END}`;
}

function texts(): Record<string, string> {
  const areas = readdirSync(ENGLISH).map((file) => {
    const area = JSON.parse(readFileSync(join(ENGLISH, file), "utf8")) as Record<string, string>;
    return Object.entries(area).map(([key, text]) => [`${basename(file, ".json")}.${key}`, pseudo(text)]);
  });
  return Object.fromEntries(areas.flat()) as Record<string, string>;
}

/** From now on the page, or each of a context, is in this language, from right to left. Its context has no service worker. */
export async function speakPseudo(page: Page | BrowserContext): Promise<void> {
  await page.addInitScript(() => {
    localStorage.setItem("wavescope.language", "de");
    document.addEventListener("readystatechange", () => (document.documentElement.dir = "rtl"));
  });
  await page.route(/\/assets\/de-[^/]*\.js$/, async (route) => {
    const code = await (await route.fetch()).text();
    const alias = /export\s*\{\s*(?:\w+\s+as\s+)?(\w+)\s*\}/.exec(code)?.[1];
    if (!alias) throw new Error("the German texts have no export");
    await route.fulfill({
      contentType: "text/javascript",
      body: `const texts = ${JSON.stringify(texts())}; export { texts as ${alias} };`,
    });
  });
}
