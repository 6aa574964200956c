/** What facets and their values are called. */
import { decimal } from "@wavescope/core/geometry/figures";
import type { Facet } from "@wavescope/core/wire/catalog/facetsClient";
import { formatName, vendorName } from "../ui/formatNames";
import { SUGGESTED } from "./tags";
import { t } from "@wavescope/core/i18n/i18n";
const TITLES: Readonly<Record<string, string>> = {
  case: t("gallery.caseOrCollection"),
  focus: t("gallery.scanFocus"),
  covered: t("gallery.scanCovered"),
  vendor: t("gallery.vendor"),
  format: t("gallery.format"),
  objective: t("gallery.objective"),
  planes: t("gallery.focalPlanes"),
  profile: t("gallery.storedAs"),
  "tag.stain": t("gallery.tagStain"),
  "tag.organ": t("gallery.tagOrgan"),
  "tag.diagnosis": t("gallery.tagDiagnosis"),
  "tag.block": t("gallery.tagBlock"),
};

export function facetTitle(name: string): string {
  const key = name.startsWith("tag.") ? name.slice("tag.".length) : name;
  return TITLES[name] ?? key.charAt(0).toUpperCase() + key.slice(1);
}

/** What a tag is called in its form: those that are suggested by their names in the language of the page. */
export const tagName = (key: string): string => (SUGGESTED.includes(key) ? facetTitle(`tag.${key}`) : key);

/** The tag of a name that was typed. */
export const tagKey = (name: string): string => SUGGESTED.find((key) => tagName(key) === name) ?? name;

/** The facets in the order of their use: first the tags that are suggested, then other tags, then what files say. */
export function byUse(facets: readonly Facet[]): readonly Facet[] {
  const place = ({ name }: Facet): number => {
    const suggested = name.startsWith("tag.") ? SUGGESTED.indexOf(name.slice("tag.".length)) : SUGGESTED.length + 1;
    return suggested < 0 ? SUGGESTED.length : suggested;
  };
  return facets.toSorted((one, other) => place(one) - place(other));
}

/** The values of a facet in the order that people expect: objectives and planes by their number, others as the service counts them. */
export function inOrder(name: string, values: Facet["values"]): Facet["values"] {
  if (name !== "objective" && name !== "planes") return values;
  const number = (value: string): number => Number.parseFloat(value) || Infinity;
  return values.toSorted(
    (one, other) => number(one.value) - number(other.value) || one.value.localeCompare(other.value),
  );
}

/** What the service finds of scans (QM12). */
const FOUND: Readonly<Record<string, string>> = {
  sharp: t("gallery.scanSharp"),
  partly: t("gallery.scanPartly"),
  blurred: t("gallery.scanBlurred"),
  ink: t("gallery.scanInk"),
  bubbles: t("gallery.scanBubbles"),
  both: t("gallery.scanInkAndBubbles"),
};

export function facetValueTitle(name: string, title: string): string {
  if (name === "focus" || name === "covered") return FOUND[title] ?? title;
  if (name === "objective") return objectiveTitle(title);
  if (name === "planes") return t("gallery.planeCount", { count: Number(title) });
  if (name === "profile" && title === "visual") return t("gallery.visual");
  if (name === "profile" && title === "lossless") return t("gallery.lossless");
  if (name === "format") return formatName(title);
  return name === "vendor" ? vendorName(title) : title;
}

/** The service names them `no scale`, `40x` and `10x equivalent`. */
function objectiveTitle(title: string): string {
  if (/^no scale$/.test(title)) return t("gallery.noScale");
  const [magnification, equivalent] = title.split("x ");
  return equivalent ? t("gallery.equivalentTo", { magnification: magnification! }) : decimal(title.replace(/x$/, "×"));
}
