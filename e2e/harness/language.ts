// A run in another language. The tests name what they look for as the English page does; with TESTS_LANGUAGE=de every page is in German
// and the tests find the same things by their German names, with TESTS_LANGUAGE=rtl by those of the language of pseudoLanguage.ts.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page, expect as baseExpect } from "@playwright/test";
import { pseudo, speakPseudo } from "./pseudoLanguage.ts";
import { ROOT } from "./service.ts";

type Name = string | RegExp;

interface Text {
  readonly english: string;
  /** What the page says instead. */
  readonly spoken: string;
}

/** "": English. */
export const SPOKEN = process.env.TESTS_LANGUAGE ?? "";

const VALUE = /\{\{\w+\}\}/;
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** In German the decimal mark is a comma, a space is before the percent sign, and a narrow one before units. */
const escaped = (text: string): string =>
  literal(text)
    .replace(/(?<=\d)\\\.(?=\d)/g, "[.,]")
    .replace(/(?<=\d)%/g, "\\s?%")
    .replace(/\s/g, "\\s");
/** A text of the catalogue with anything in place of its values. */
const pattern = (text: string, value = "(.*)"): string => text.split(VALUE).map(escaped).join(value);

function readTexts(): readonly Text[] {
  const folder = (language: string) => join(ROOT, "frontend", "core", "src", "i18n", language);
  const read = (language: string, area: string) =>
    JSON.parse(readFileSync(join(folder(language), area), "utf8")) as Record<string, string>;
  const ofPage = readdirSync(folder("en")).flatMap((area) => {
    const german = read("de", area);
    return Object.entries(read("en", area)).map(([key, english]) => ({
      english,
      spoken: SPOKEN === "rtl" ? pseudo(english) : german[key]!,
    }));
  });
  return SPOKEN === "de" ? [...ofPage, ...textsOfService()] : ofPage;
}

/** Of the pages that the service writes itself (LG8). */
function textsOfService(): readonly Text[] {
  const file = join(ROOT, "backend", "src", "wavescope", "api", "http", "page_texts.py");
  const pairs = readFileSync(file, "utf8").matchAll(/^ {4}"(.+)": "(.+)",$/gm);
  return [...pairs].map(([, english, spoken]) => ({ english: english!, spoken: spoken! }));
}

const TEXTS = SPOKEN ? readTexts() : [];
/** Those with values that say enough to be known again. */
const TEMPLATES = TEXTS.filter(
  ({ english }) => VALUE.test(english) && /\p{L}{2}/u.test(english.replace(/\{\{\w+\}\}/g, "")),
);

/** What the page says for this English text as a whole. */
function wholes(text: string): string[] {
  const same = TEXTS.filter(({ english }) => english.toLowerCase() === text.toLowerCase()).map(({ spoken }) => spoken);
  if (same.length > 0) return same;
  return TEMPLATES.flatMap(({ english, spoken }) => {
    const found = new RegExp(`^${pattern(english)}$`, "i").exec(text);
    if (!found) return [];
    const names = english.match(/\{\{\w+\}\}/g)!;
    const filled = (value: (given: string) => string): string =>
      names.reduce((text, name, i) => text.replace(name, value(found[i + 1]!)), spoken);
    return [filled((given) => given), filled((given) => wholes(given)[0] ?? given)];
  });
}

/** A pattern that begins with the words before a value, and goes on with those of the value: `^More actions for Ada`. */
const continued = (source: string): string[] =>
  TEMPLATES.flatMap(({ english, spoken }) => {
    const [head] = english.split(VALUE);
    const begin = source.startsWith("^") ? 1 : 0;
    if (!/\p{L}{3}/u.test(head!) || !source.startsWith(literal(head!), begin)) return [];
    const value = source.slice(begin + literal(head!).length);
    const start = escaped(spoken.split(VALUE)[0]!);
    return [value, ...wholes(value).map(escaped)].flatMap((one) => [pattern(spoken, one), start + one]);
  });

/** The names by which the page has what the test calls so; also the name itself, as users gave it. */
export function said(name: Name, exact = false): Name {
  if (!SPOKEN) return name;
  if (typeof name !== "string") {
    const matching = TEXTS.filter(({ english }) => name.test(english.replace(/\{\{\w+\}\}/g, "1")));
    const others = [...matching.map(({ spoken }) => pattern(spoken, ".*")), ...continued(name.source)];
    return others.length > 0 ? new RegExp([name.source, ...others].join("|"), name.flags) : name;
  }
  const known = wholes(name).map(escaped);
  const isWhole = TEXTS.some(({ english }) => english.toLowerCase() === name.toLowerCase());
  const partly =
    exact || isWhole ? [] : TEXTS.filter(({ english }) => english.toLowerCase().includes(name.toLowerCase()));
  const all = [...new Set([escaped(name), ...known, ...partly.map(({ spoken }) => pattern(spoken, ".*"))])].join("|");
  return exact ? new RegExp(`^(?:${all})$`) : new RegExp(all, "i");
}

type Method = (this: object, ...args: unknown[]) => unknown;
interface Options {
  readonly exact?: boolean;
  readonly name?: Name;
  readonly hasText?: Name;
}

const BY_NAME = ["getByText", "getByLabel", "getByPlaceholder", "getByAltText", "getByTitle"];
const adapted = new Set<object>();

function replace(prototype: Record<string, Method>, method: string, change: (args: unknown[]) => unknown[]): void {
  const before = prototype[method];
  if (before)
    prototype[method] = function (...args) {
      return before.apply(this, change(args));
    };
}

/** Pages and locators of this process look for names as the page has them. */
function adapt(page: Page): void {
  for (const one of [page, page.locator("html"), page.frameLocator("html")]) {
    const prototype = Object.getPrototypeOf(one) as Record<string, Method>;
    if (adapted.has(prototype)) continue;
    adapted.add(prototype);
    for (const method of BY_NAME)
      replace(prototype, method, ([name, options]) => [
        said(name as Name, (options as Options | undefined)?.exact),
        options,
      ]);
    replace(prototype, "getByRole", ([role, options]) => [role, named(options as Options | undefined)]);
    replace(prototype, "locator", ([selector, options]) => [selector, named(options as Options | undefined)]);
    replace(prototype, "filter", ([options]) => [named(options as Options | undefined)]);
    replace(prototype, "selectOption", ([choice, ...rest]) => [
      typeof choice === "string" ? (wholes(choice)[0] ?? choice) : choice,
      ...rest,
    ]);
  }
}

const named = (options: Options | undefined): Options | undefined =>
  options && {
    ...options,
    ...(options.name !== undefined && { name: said(options.name, options.exact) }),
    ...(options.hasText !== undefined && { hasText: said(options.hasText) }),
  };

/** All pages of a context are in the language of the run. */
export function speak(context: BrowserContext): void {
  if (!SPOKEN) return;
  context.on("page", adapt);
  for (const page of context.pages()) adapt(page);
  void (SPOKEN === "rtl"
    ? speakPseudo(context)
    : context.addInitScript(() => localStorage.setItem("wavescope.language", "de")));
}

const SAYING = new Set<PropertyKey>(["toContainText", "toHaveText", "toHaveAccessibleName"]);

/** What a test expects to read is expected in the language of the run. */
export function expecting<E extends typeof baseExpect>(expect: E): E {
  if (!SPOKEN) return expect;
  const matchers = (all: object): object =>
    new Proxy(all, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (key === "not") return matchers(value as object);
        if (!SAYING.has(key)) return value;
        return (wanted: Name | Name[], ...rest: unknown[]) => {
          const exact = key !== "toContainText";
          const spoken = Array.isArray(wanted) ? wanted.map((one) => said(one, exact)) : said(wanted, exact);
          return (value as Method).call(target, spoken, ...rest);
        };
      },
    });
  return new Proxy(expect, {
    apply: (target, self, args) => matchers(Reflect.apply(target as unknown as Method, self as object, args) as object),
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      return key === "soft" ? (...args: unknown[]) => matchers((value as Method).apply(target, args) as object) : value;
    },
  });
}
