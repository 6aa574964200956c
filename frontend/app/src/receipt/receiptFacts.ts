/** What a receipt says, in words. Pure. */
import { decimal, groupedNumber } from "@wavescope/core/geometry/figures";
import { LOCALE } from "@wavescope/core/i18n/locale";
import { t } from "@wavescope/core/i18n/i18n";
import type { ComparisonReceipt, Place } from "@wavescope/viewer/compare/receipt";
import type { Quantity } from "@wavescope/viewer/light/adjustments";
import type { ShownChannel, ShownSlide, Taken } from "@wavescope/viewer/view/receipt/receipt";
import { turnText } from "../microscope/description/sentences";
import { dateLabel } from "../ui/dates";
import type { Fact } from "../ui/Facts";
import { bytesLabel, percentLabel, sizeLabel } from "../ui/format";

const QUANTITIES: Readonly<Record<Quantity, string>> = {
  brightness: t("light.brightness"),
  contrast: t("light.contrast"),
  gamma: t("light.gamma"),
  saturation: t("light.saturation"),
};
const NAMES: Readonly<Record<string, string>> = {
  ...QUANTITIES,
  white: t("light.whitePoint"),
  extended: t("focus.extended"),
  profile: t("receipt.profileOff"),
};

/** What one canvas showed, in the order of the page; hashes last. `planes`: of the slide. */
export function shownFacts(shown: ShownSlide, planes: number): Fact[] {
  const { slide, view, canvas, sha256 } = shown;
  const file = "file" in slide ? slide.file : null;
  return known([
    [t("receipt.sharpness"), sharpnessText(shown.fidelity, file !== null)],
    [t("receipt.channels"), shown.channels && shown.channels.map(channelText).join("; ")],
    [t("receipt.adjustments"), adjustmentsText(shown)],
    [t("receipt.colourProfile"), shown.colour_profile ? t("receipt.applied") : t("receipt.notApplied")],
    [t("receipt.slide"), "id" in slide ? slide.id : t("receipt.local")],
    [t("receipt.version"), "digest" in slide ? slide.digest : null],
    [t("receipt.file"), file && bytesLabel(file.bytes)],
    [
      t("receipt.place"),
      t("receipt.level", {
        level: view.level,
        x: groupedNumber(view.x),
        y: groupedNumber(view.y),
        size: sizeLabel(view.width, view.height),
      }),
    ],
    [t("receipt.plane"), planes > 1 ? t("viewer.plane", { plane: view.plane + 1, planes }) : null],
    [t("receipt.scale"), t("receipt.scaled", { scale: trimmed(view.scale) })],
    [t("receipt.orientation"), turnText(view).replace(/\.$/, "")],
    [
      t("receipt.screen"),
      t("receipt.displayed", { size: sizeLabel(canvas.width, canvas.height), density: trimmed(canvas.density) }),
    ],
    [t("receipt.fileHash"), file && file.sha256],
    [t("receipt.levelHash"), sha256.level ?? t("receipt.notStored")],
    [t("receipt.canvasHash"), sha256.canvas],
  ]);
}

export function takenFacts({ time, account, wavescope }: Taken): Fact[] {
  return known([
    [t("receipt.time"), dateLabel(time, "second")],
    [t("receipt.account"), account ?? t("receipt.none")],
    [t("receipt.wavescope"), wavescope],
  ]);
}

/** How the slides of a comparison lie on the page. */
export function layoutFacts({ mode, linked, swipe }: ComparisonReceipt): Fact[] {
  return known([
    [t("receipt.layout"), mode === "side" ? t("compare.sideBySide") : t("compare.swipe")],
    [t("receipt.links"), linked ? t("compare.linked") : t("compare.notLinked")],
    [
      t("receipt.swiped"),
      swipe &&
        t(swipe.swapped ? "receipt.upperLeft" : "receipt.upperRight", {
          lower: swipe.lower,
          upper: swipe.upper,
          divider: percentLabel(swipe.divider),
          blend: percentLabel(swipe.blend),
        }),
    ],
  ]);
}

/** Where one of several pictures lay on the page. */
export function paneFacts({ place: { left, top, width, height } }: { readonly place: Place }): Fact[] {
  const size = sizeLabel(Math.round(width), Math.round(height));
  return [
    { name: t("receipt.page"), value: t("receipt.onPage", { left: Math.round(left), top: Math.round(top), size }) },
  ];
}

/** Whether the screen shows the stored pixels, and if not, why. `blended`: another slide is mixed into the picture. */
export function verdictOf(shown: ShownSlide, blended = false): string {
  const { exact, view, channels, sha256 } = shown;
  if (!exact) return t("receipt.changed", { reasons: reasonList.format(reasonsOf(shown, blended)) });
  if (view.scale > 1) return t(channels ? "receipt.mixedRepeated" : "receipt.repeated", { scale: view.scale });
  if (sha256.level !== sha256.canvas) return t("receipt.different");
  return channels ? t("receipt.mixedEqual") : t("receipt.equal");
}

const reasonList = new Intl.ListFormat(LOCALE, { type: "conjunction" });

function reasonsOf({ view, fidelity, adjustments, ...shown }: ShownSlide, blended: boolean): string[] {
  const { profile: _, extended, ...adjusted } = adjustments ?? {};
  const reasons: readonly (readonly [boolean, string])[] = [
    [!Number.isInteger(view.scale), t("receipt.isScaled")],
    [view.rotation !== 0, t("receipt.isRotated")],
    [view.flip, t("receipt.isMirrored")],
    [Object.keys(adjusted).length > 0, t("receipt.isAdjusted")],
    [extended === true, t("receipt.isExtended")],
    [shown.colour_profile, t("receipt.isProfiled")],
    [blended, t("receipt.isBlended")],
    [fidelity.state === "damaged", t("receipt.isDamaged")],
    [fidelity.state !== "damaged" && fidelity.state !== "exact", t("receipt.isCoarse")],
    [shown.sha256.level === null && extended !== true, t("receipt.isServed")],
  ];
  return reasons.filter(([holds]) => holds).map(([, text]) => text);
}

function sharpnessText({ state, tiles, coarse, layers }: ShownSlide["fidelity"], file: boolean): string {
  if (state === "damaged") return t("receipt.damaged");
  if (coarse > 0) return t("receipt.coarse", { coarse, count: tiles });
  return file ? t("receipt.completeFile", { count: tiles }) : t("receipt.complete", { count: tiles, layers });
}

function channelText({ name, colour, low, high, gamma }: ShownChannel): string {
  const window = { low: groupedNumber(low), high: groupedNumber(high), gamma: trimmed(gamma / 100) };
  return t("receipt.channel", { name, colour, ...window });
}

/** Those with a value of their own by name and value; entries of stains and what this page does not know by their names. */
function adjustmentsText({ adjustments, channels }: ShownSlide): string {
  if (!adjustments) return channels ? t("receipt.asMixed") : t("receipt.asStored");
  const texts = Object.entries(adjustments).map(([key, value]) => {
    const name = NAMES[key] ?? key;
    return typeof value === "number" ? `${name} ${trimmed(value)}` : name;
  });
  return texts.join(", ");
}

const known = (facts: readonly (readonly [string, string | null])[]): Fact[] =>
  facts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));

const trimmed = (value: number): string => decimal(Number(value.toPrecision(4)));
