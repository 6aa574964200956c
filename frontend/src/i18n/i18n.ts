/**
 * The texts of the page, in the language of the reader: English for now.
 *
 * The catalogue comes with the page, so `t` answers from the first line of code on, also outside React.
 */
import { createInstance } from "i18next";
import { en } from "./en";
import { LOCALE } from "./locale";

export const language = createInstance();

void language.init({
  lng: LOCALE,
  resources: { [LOCALE]: { translation: en } },
  initAsync: false,
  interpolation: { escapeValue: false }, // React escapes what it shows
});

/** The text at an address of the catalogue, with values for its {{names}}; `count` chooses singular or plural. */
export const t = language.t;
