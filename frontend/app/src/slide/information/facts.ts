/** What the information panel says, as names and values. Pure. */
import { decimal } from "@wavescope/core/geometry/figures";
import { EXACT_PSNR, storedPsnr, storedSigma } from "@wavescope/core/wire/slides/details";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { magnificationLabel } from "@wavescope/viewer/navigation/objectives";
import { equivalentLabel, ownMagnification } from "@wavescope/viewer/navigation/scale";
import type { Fact } from "../../ui/Facts";
import { bytesLabel, sizeLabel } from "../../ui/format";
import { formatName, vendorName } from "../../ui/formatNames";
import { dateLabel } from "../../ui/dates";
import { qualityInText, qualityName, windowLabel } from "../../quality/labels";
import { isPreset } from "@wavescope/core/wire/catalog/jobs";
import { t } from "@wavescope/core/i18n/i18n";

const FULL_DIGEST_SHOWN = 12;

export function propertiesOf(manifest: Manifest): Fact[] {
  const { mpp, planes, planeSpacingUm } = manifest;
  const magnification = ownMagnification(mpp?.x ?? null, manifest.objectivePower);
  const equivalent = magnification?.equivalent ? ` (${equivalentLabel(magnification.own)})` : "";
  return known([
    [
      t("information.scannedArea"),
      mpp &&
        t("information.area", {
          width: millimetres(manifest.width * mpp.x),
          height: millimetres(manifest.height * mpp.y),
        }),
    ],
    [
      t("information.pixelSize"),
      mpp
        ? `${t("common.lengthUm", { length: mpp.x === mpp.y ? trim(mpp.x) : `${trim(mpp.x)} × ${trim(mpp.y)}` })}${equivalent}`
        : t("common.noScale"),
    ],
    [t("information.objective"), manifest.objectivePower && magnificationLabel(manifest.objectivePower)],
    [
      t("information.planes"),
      planes > 1
        ? planeSpacingUm === null
          ? String(planes)
          : t("information.planesApart", { planes, distance: trim(planeSpacingUm) })
        : null,
    ],
    [t("information.size"), sizeLabel(manifest.width, manifest.height)],
    [t("information.imageQuality"), imageQuality(manifest)],
    [t("information.greyValues"), manifest.details.window && windowLabel(manifest.details.window)],
    [t("information.scan"), manifest.findings && scanQuality(manifest.findings)],
  ]);
}

function scanQuality(findings: NonNullable<Manifest["findings"]>): string {
  const found = findings.notable.map((what) => SCAN_TEXTS[what](percent(findings[what])));
  return found.length > 0 ? `${found.join(", ")} (${t("information.scanOverlay")})` : t("information.scanSharp");
}

const SCAN_TEXTS: Readonly<Record<"blurred" | "pen" | "bubbles", (percent: string) => string>> = {
  blurred: (percent) => t("information.scanBlurred", { percent }),
  pen: (percent) => t("information.scanInk", { percent }),
  bubbles: (percent) => t("information.scanBubbles", { percent }),
};

const percent = (share: number): string => String(Math.round(share * 100));

function imageQuality({ profile, details }: Manifest): string {
  if (profile === "lossless") return t("information.lossless");
  if (!details.chosen) return t("information.visuallyLossless");
  return isPreset(details.chosen.quality) ? qualityInText(details.chosen.quality) : t("information.customQuality");
}

/** With the measured PSNR, as in "visually lossless, 39.4 dB". */
export function storedQuality(manifest: Manifest): string {
  const [psnr, sigma] = [storedPsnr(manifest.details), storedSigma(manifest.details)];
  const quality = imageQuality(manifest);
  if (psnr === null || manifest.profile === "lossless") return quality;
  return sigma === null
    ? t("information.imageQualityPsnr", { quality, psnr: decimal(psnr.toFixed(1)) })
    : t("information.imageQualitySigma", { quality, sigma: decimal(sigma.toFixed(2)) });
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^target$/, t("information.reasonTarget")],
  [/^score$/, t("information.reasonScore")],
  [/^noise$/, t("information.reasonNoise")],
  [/^least PSNR$/, t("information.reasonLeastPsnr")],
  [/^compression of the source$/, t("information.reasonCompression")],
  [/^bytes of the source$/, t("information.reasonBytes")],
];

/** What decided (ST66), in words; what this version does not know as it is. */
function reasonOf(reason: string): string {
  return REASONS.find(([known]) => known.test(reason))?.[1] ?? reason;
}

/** What image quality was chosen, what decided, and what was measured (ST60, ST66). */
export function qualityFactsOf({ profile, details }: Pick<Manifest, "profile" | "details">): Fact[] {
  const { chosen } = details;
  if (!chosen) return [];
  const [psnr, sigma] = [storedPsnr(details), storedSigma(details)];
  const lossy = profile !== "lossless";
  return known([
    [t("information.chosenQuality"), qualityName(chosen.quality)],
    [t("information.decidedBy"), reasonOf(chosen.reason)],
    [
      t("information.measuredError"),
      lossy && sigma !== null ? t("information.sigmaOfNoise", { sigma: decimal(sigma.toFixed(2)) }) : null,
    ],
    [
      t("information.measuredPsnr"),
      lossy && psnr !== null ? t("quality.decibels", { psnr: decimal(psnr.toFixed(1)) }) : null,
    ],
    [
      chosen.measure,
      lossy && sigma === null ? t("information.scoreOfSample", { score: decimal(chosen.score.toFixed(1)) }) : null,
    ],
    [
      t("information.encodedAgain"),
      chosen.reencoded > 0 ? t("information.encodedTimes", { count: chosen.reencoded }) : null,
    ],
  ]);
}

/** What engineers read. */
export function technicalOf(manifest: Manifest): Fact[] {
  const { source } = manifest.details;
  const facts = known([
    [t("information.channels"), channelsOf(manifest)],
    [t("information.levels"), String(manifest.top + 1)],
    [t("information.qualityLayers"), manifest.preview ? null : String(manifest.layers)],
    [t("information.version"), manifest.digest.slice(0, FULL_DIGEST_SHOWN)],
    [t("information.checksum"), source.fingerprint && source.fingerprint.slice(0, FULL_DIGEST_SHOWN)],
  ]);
  if (!manifest.icc) return facts;
  const profile = { name: t("information.iccProfile"), value: t("information.embeddedUnmodified") };
  return [...facts, manifest.preview ? profile : { ...profile, href: `${manifest.url}/icc` }];
}

function channelsOf({ groups, channels }: Manifest): string {
  if (groups) return String(channels);
  return channels === 1 ? t("information.grey") : t("information.rgb");
}

export function ratiosOf(manifest: Manifest): Fact[] {
  const { bytes, source } = manifest.details;
  const stored = bytes.flat().reduce((sum, part) => sum + part, 0);
  const samples = manifest.width * manifest.height * manifest.channels * manifest.planes;
  const raw = samples * ((manifest.groups?.bit_depth ?? 8) > 8 ? 2 : 1);
  return known([
    [t("information.stored"), bytesLabel(stored)],
    [t("information.rawPixels"), `${bytesLabel(raw)} (${ratio(raw / stored)})`],
    [t("information.sourceFile"), source.bytes && `${bytesLabel(source.bytes)} (${ratio(source.bytes / stored)})`],
    [
      t("information.tilesFile"),
      source.tileBytes && `${bytesLabel(source.tileBytes)} (${ratio(source.tileBytes / stored)})`,
    ],
  ]);
}

/** Where the slide came from. */
export function originOf(manifest: Manifest): Fact[] {
  const { source } = manifest.details;
  return known([
    [t("information.scanner"), manifest.vendor && vendorName(manifest.vendor)],
    [t("information.file"), source.name],
    [t("information.format"), source.format && formatName(source.format)],
    [t("information.imported"), manifest.created && dateLabel(manifest.created)],
    [t("information.scale"), scaleOrigin(manifest)],
  ]);
}

/** Of an entered scale: by whom, when, and from what. */
function scaleOrigin({ scale }: Manifest): string | null {
  if (!scale) return null;
  if (scale.origin === "file") return t("information.statedByFile");
  const day = scale.at && dateLabel(scale.at, "day");
  const from = scale.line && t("information.fromLine", { length: trim(scale.line.length_um) });
  return [t("information.enteredBy", { by: scale.by || t("information.anyUser") }), day, from]
    .filter(Boolean)
    .join(", ");
}

/** `37.6`, `exact`, `–` where nothing could be measured. */
export function psnrLabel(psnr: number | null | undefined): string {
  if (psnr === null || psnr === undefined) return "–";
  return psnr >= EXACT_PSNR ? t("information.exact") : decimal(psnr.toFixed(1));
}

function known(rows: readonly (readonly [string, string | number | null])[]): Fact[] {
  return rows.flatMap(([name, value]) =>
    value === null || value === 0 || value === "" ? [] : [{ name, value: String(value) }],
  );
}

function ratio(value: number): string {
  return `${decimal(value.toPrecision(3))} : 1`;
}

function millimetres(micrometres: number): string {
  return decimal((micrometres / 1000).toFixed(1));
}

function trim(value: number): string {
  return decimal(Number(value.toPrecision(4)));
}
