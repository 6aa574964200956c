/** What a receipt says, in words. Pure. */
import { decimal, groupedNumber } from "@wavescope/core/geometry/figures";
import { t } from "@wavescope/core/i18n/i18n";
import type { Quantity } from "@wavescope/viewer/light/adjustments";
import type { Receipt } from "@wavescope/viewer/view/receipt/receipt";
import { turnText } from "../../../microscope/description/sentences";
import { dateLabel } from "../../../ui/dates";
import { sizeLabel } from "../../../ui/format";
import type { Fact } from "../../information/facts";

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

/** In the order of the page that shows them; hashes last. */
export function receiptFacts({ slide, view, canvas, ...receipt }: Receipt, planes: number): Fact[] {
  const facts: readonly (readonly [string, string | null])[] = [
    [t("receipt.sharpness"), sharpnessText(receipt.fidelity)],
    [t("receipt.adjustments"), adjustmentsText(receipt.adjustments)],
    [t("receipt.colourProfile"), receipt.colour_profile ? t("receipt.applied") : t("receipt.notApplied")],
    [t("receipt.slide"), slide.id],
    [t("receipt.version"), slide.digest],
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
    [t("receipt.orientation"), turnText(view)],
    [
      t("receipt.screen"),
      t("receipt.displayed", { size: sizeLabel(canvas.width, canvas.height), density: trimmed(canvas.density) }),
    ],
    [t("receipt.time"), dateLabel(receipt.time, "second")],
    [t("receipt.account"), receipt.account ?? t("receipt.none")],
    [t("receipt.wavescope"), receipt.wavescope],
    [t("receipt.levelHash"), receipt.sha256.level ?? t("receipt.mixed")],
    [t("receipt.canvasHash"), receipt.sha256.canvas],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

/** Whether the screen shows the stored pixels. */
export function verdictOf({ exact, view, sha256 }: Receipt): string {
  if (!exact) return t("receipt.changed");
  if (view.scale > 1) return t("receipt.repeated", { scale: view.scale });
  return sha256.level === sha256.canvas ? t("receipt.equal") : t("receipt.different");
}

function sharpnessText({ state, tiles, coarse, layers }: Receipt["fidelity"]): string {
  if (state === "damaged") return t("receipt.damaged");
  return coarse > 0 ? t("receipt.coarse", { coarse, count: tiles }) : t("receipt.complete", { count: tiles, layers });
}

/** Those with a value of their own by name and value; entries of channels, stains and what this page does not know by their names. */
function adjustmentsText(adjustments: Receipt["adjustments"]): string {
  if (!adjustments) return t("receipt.asStored");
  const texts = Object.entries(adjustments).map(([key, value]) => {
    const name = NAMES[key] ?? key;
    return typeof value === "number" ? `${name} ${trimmed(value)}` : name;
  });
  return texts.join(", ");
}

const trimmed = (value: number): string => decimal(Number(value.toPrecision(4)));
