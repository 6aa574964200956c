/**
 * The texts of the page, in the language of the reader: English for now. The catalogue is in the format of i18next (JSON v4).
 *
 * A module that names a text brings it along (bundling/texts.ts), so `t` answers from the module's first line of code on, also outside
 * React.
 */
import type { en } from "./en";
import { LOCALE } from "./locale";

type Catalogue = typeof en;
type Area = keyof Catalogue;
/** Singular and plural have one address. */
type Stem<Key> = Key extends `${infer stem}_one` ? stem : Key extends `${infer stem}_other` ? stem : Key;

/** An address that is not in the catalogue does not compile. */
export type Address = { [A in Area]: `${A}.${Stem<keyof Catalogue[A]> & string}` }[Area];

const catalogue = new Map<string, string>();
const plurals = new Intl.PluralRules(LOCALE);
const numbers = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 });

/** Called where a text or an area of the catalogue is imported. */
export function addTexts(area: string, texts: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(texts)) catalogue.set(`${area}.${key}`, text);
}

/** The text at an address of the catalogue, with values for its {{names}}: numbers as people read them; `count` chooses singular or plural. */
export function t(address: Address, values: Readonly<Record<string, string | number>> = {}): string {
  const form = plurals.select(Number(values.count));
  const text = catalogue.get(`${address}_${form}`) ?? catalogue.get(address) ?? address;
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => written(values[name]!));
}

const written = (value: string | number): string => (typeof value === "number" ? numbers.format(value) : value);
