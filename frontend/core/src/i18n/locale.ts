/** The language of the page and the locale of its numbers and dates (LG1, LG2). They hold as long as the page: a choice loads it again. */

/** The setting's name in the browser's storage. */
export const LANGUAGE_KEY = "wavescope.language";
/** The languages of the catalogue; another is a folder of texts (translated.ts). */
const KNOWN = /^(de|en)\b/;

/** Languages that the browser asks for, the best first. Tests and workers have none. */
const asked: readonly string[] = typeof document === "undefined" ? [] : navigator.languages;

/** The user's choice, else the browser's best that is known, else English. */
export const LANGUAGE = [storedLanguage(), ...asked].map((tag) => KNOWN.exec(tag)?.[0]).find(Boolean) ?? "en";

/** The browser's own kind of this language, such as `de-CH`. */
export const LOCALE = asked.find((tag) => tag.startsWith(LANGUAGE)) ?? LANGUAGE;

/** Empty: the browser's choice. */
export function storedLanguage(): string {
  try {
    return localStorage.getItem(LANGUAGE_KEY) ?? "";
  } catch {
    return "";
  }
}
