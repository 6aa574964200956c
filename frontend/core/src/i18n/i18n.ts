/**
 * The texts of the page, in the language of the reader (shared/spec/languages.md). The catalogue is in the format of i18next (JSON v4).
 *
 * A module that names a text brings it along in English (bundling/texts.ts), so `t` answers from the module's first line of code on, also
 * outside React. Another language comes as a whole before the page reads a text (translated.ts); what it lacks is in English.
 */
import type { en } from "./en";
import { LOCALE } from "./locale";

type Catalogue = typeof en;
type Area = keyof Catalogue;
/** Singular and plural have one address. */
type Stem<Key> = Key extends `${infer stem}_one` ? stem : Key extends `${infer stem}_other` ? stem : Key;

/** An address that is not in the catalogue does not compile. */
export type Address = { [A in Area]: `${A}.${Stem<keyof Catalogue[A]> & string}` }[Area];

const catalogue: Record<string, string> = {};
const plurals = new Intl.PluralRules(LOCALE);
const numbers = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 });

/** An English text, where it is imported. A translation stays. */
export function addText(address: string, text: string): void {
  catalogue[address] ??= text;
}

/** Texts of another language, by address. */
export function addTranslation(texts: Readonly<Record<string, string>>): void {
  Object.assign(catalogue, texts);
}

/**
 * The text at an address of the catalogue, with values for its {{names}}: numbers as people read them; `count` chooses singular or plural.
 * `otherwise` is in place of a text that is not here.
 */
export function t(
  address: Address,
  values: Readonly<Record<string, string | number>> = {},
  otherwise: string = address,
): string {
  const text = catalogue[`${address}_${plurals.select(Number(values.count))}`] ?? catalogue[address] ?? otherwise;
  return text.replace(/\{\{(\w+)\}\}/g, (name, key: string) => written(values[key] ?? name));
}

const written = (value: string | number): string => (typeof value === "number" ? numbers.format(value) : value);
