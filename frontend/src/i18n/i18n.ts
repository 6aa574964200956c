/**
 * The texts of the page, in the language of the reader: English for now.
 *
 * A module that names a text brings its area of the catalogue along (bundling/texts.ts), so `t` answers from the module's first line of
 * code on, also outside React.
 */
import { createInstance } from "i18next";
import { LOCALE } from "./locale";

export const language = createInstance();

void language.init({
  lng: LOCALE,
  resources: { [LOCALE]: { translation: {} } },
  initAsync: false,
  interpolation: { escapeValue: false }, // React escapes what it shows
});

/** Called by each area of the catalogue that is imported. */
export function addTexts(area: string, texts: Readonly<Record<string, string>>): void {
  language.addResourceBundle(LOCALE, "translation", { [area]: texts }, true);
}

/** The text at an address of the catalogue, with values for its {{names}}; `count` chooses singular or plural. */
export const t = language.t;
