import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { de } from "./de";
import { en } from "./en";
import { t } from "./i18n";

const SOURCES = ["core/src", "viewer/src", "embed/src", "app/src", "bundling"].map((folder) =>
  join(import.meta.dirname, "../../..", folder),
);
const files = SOURCES.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
);
const code = files.filter((file) => /(?<!\.test)\.tsx?$/.test(file)).map((file) => readFileSync(file, "utf8"));
const used = new Set(code.flatMap((text) => [...text.matchAll(/"([a-z]+\.[A-Za-z0-9-]+)"/g)].map(([, key]) => key)));
const entries = Object.entries(en).flatMap(([area, texts]) =>
  Object.entries(texts as Record<string, string>).map(([key, text]) => [`${area}.${key}`, text] as const),
);

/** A unit after a space that may become the end of a line; it is to be a narrow no-break one (U+202F). */
const APART = /(\}\}|\d)[ \u00a0]([mµn]m²?|px|dB|σ|[kMGT]B|Mbit\/s|m?s|min|h)(?![\p{L}\p{N}-])/u;

describe("the catalogue of texts", () => {
  it("holds no text that the page does not use", () => {
    const unused = entries.filter(
      ([key]) => !/^(problems|actions|names)\./.test(key) && !used.has(key.replace(/_(one|other)$/, "")),
    );
    expect(unused).toEqual([]);
  });

  it("has a plural for each singular", () => {
    const keys = new Set<string>(entries.map(([key]) => key));
    const alone = [...keys].filter((key) => key.endsWith("_one") && !keys.has(key.replace(/_one$/, "_other")));
    expect(alone).toEqual([]);
  });

  it("has each text in one form: alone, or as singular and plural", () => {
    const keys = new Set<string>(entries.map(([key]) => key));
    expect([...keys].filter((key) => keys.has(`${key}_one`) || keys.has(`${key}_other`))).toEqual([]);
  });

  it("glues no value to a word", () => {
    expect(entries.filter(([, text]) => /\p{L}\{\{|\}\}\p{L}/u.test(text))).toEqual([]);
  });

  it("keeps a value and its unit in one line (LG9)", () => {
    expect(entries.filter(([, text]) => APART.test(text) || /\s%/.test(text))).toEqual([]);
  });

  it("names its values as {{name}}", () => {
    expect(entries.filter(([, text]) => /[{}]|\$t\(/.test(text.replace(/\{\{\w+\}\}/g, "")))).toEqual([]);
  });

  it("comes with the code that names its texts: puts values into one, and chooses the plural (PG5)", () => {
    expect(t("common.slides", { count: 1 })).toBe("1 slide");
    expect(t("common.slides", { count: 3 })).toBe("3 slides");
    expect(t("common.slides", { count: 0 })).toBe("0 slides");
    expect(t("annotate.added", { count: 100_000 })).toBe("100,000 annotations added.");
    expect(t("accounts.accountOf", { title: "<Ada> & Ben" })).toBe("Account of <Ada> & Ben");
  });
});

describe("the German catalogue (LG4)", () => {
  const english = new Map<string, string>(entries);
  const german = Object.entries(de);
  const faults = (fault: (own: string, text: string) => boolean) =>
    german.filter(([address, text]) => fault(english.get(address) ?? "", text)).map(([address]) => address);
  const words = (text: string) => (text.replace(/\{\{\w+\}\}/g, "").match(/\p{L}{2,}/gu) ?? []).length;
  const parts = (text: string) => (text.match(/\{\{\w+\}\}|<[^>]*>/g) ?? []).sort().join();

  it("has the addresses of the English one", () => {
    expect([...english.keys()].filter((address) => !(address in de))).toEqual([]);
    expect(german.map(([address]) => address).filter((address) => !english.has(address))).toEqual([]);
  });

  it("has the same values and the same markup in each text", () => {
    expect(faults((own, text) => parts(own) !== parts(text))).toEqual([]);
  });

  it("leaves no sentence in English and no text empty", () => {
    expect(faults((own, text) => text.trim() === "" || (own === text && words(own) > 5))).toEqual([]);
  });

  it("glues no value to a word", () => {
    expect(german.filter(([, text]) => /\p{L}\{\{|\}\}\p{L}/u.test(text))).toEqual([]);
  });

  it("is set as German is: a value with its unit, marks of quotation, dashes and dots (LG9)", () => {
    const badly = [
      APART,
      /(?<![\u202f-])%|%(?=\p{L})/u,
      /["']|\.\.\.|--(?!\w)| - /,
      /(?<![\s\u202f])…/,
      /z\. ?B\.|d\. ?h\.|u\. ?a\./,
    ];
    expect(german.filter(([, text]) => badly.some((fault) => fault.test(text)))).toEqual([]);
    const words = german.map(([address, text]) => [address, text.replace(/„[^“”]*“/g, "")] as const);
    expect(words.filter(([, text]) => /[„“”‚‘]/.test(text))).toEqual([]);
  });
});
