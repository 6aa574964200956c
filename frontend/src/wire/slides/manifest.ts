/** Slides and their manifests as the service serves them (wire/catalog.md, WI5-WI8), checked at the boundary. */
import { type Json, asArray, asObject, numberOf, numberOrNull, text, textOrNull, whole } from "../http/shape";
import { type Emptiness, parseEmptiness } from "./occupancyMap";
import { type SlideDetails, parseDetails } from "./details";
import { type ScaleOrigin, parseScale } from "./scale";
import { ShapeError } from "../http/errors";
import { Pyramid, TILE } from "../../geometry/pyramid";

export interface SlideSummary {
  readonly id: string;
  readonly title: string;
  readonly digest: string;
  readonly created: string | null;
  readonly width: number;
  readonly height: number;
  readonly planes: number;
  readonly mpp: { readonly x: number; readonly y: number } | null;
  /** Where `mpp` is from. */
  readonly scale: ScaleOrigin | null;
  readonly objectivePower: number | null;
  readonly vendor: string | null;
  readonly profile: string;
  readonly bytes: number | null;
  readonly thumbnail: string;
  /** What people say of the slide: stain, organ ... */
  readonly tags: Readonly<Record<string, string>>;
  /** Whether who asked may rename, tag, share and delete it; also where the service does not tell: it decides anyway. */
  readonly editable: boolean;
}

export interface Manifest extends SlideSummary {
  /** `/api/v1/slides/{id}/v/{digest}` */
  readonly url: string;
  readonly top: number;
  readonly layers: number;
  readonly channels: number;
  readonly planeSpacingUm: number | null;
  /** Whether the source came with an ICC profile. */
  readonly icc: boolean;
  readonly sourceName: string | null;
  /** A slide that is not there yet, seen through its source file: pixels come from the service, and nothing is kept of it. */
  readonly preview?: true;
  /** Which blocks of the plane that opens first are stored; null: only the layer index tells. */
  readonly empty: Emptiness | null;
  /** What who asked may do with it (access.md, AC50); null: the service does not tell, and decides anyway. */
  readonly allowed: readonly string[] | null;
  readonly details: SlideDetails;
}

export interface SlidePage {
  readonly slides: readonly SlideSummary[];
  readonly total: number;
}

/** Larger slides than this are not meant by anybody; the arithmetic stays exact far beyond. */
const MOST_SIDE = 2 ** 31;

/** Scanners lay the sharpest plane in the middle: slides open there, and thumbnails show it. */
export function middlePlane(planes: number): number {
  return Math.floor(planes / 2);
}

/** Actions of the table of access.md that the page offers only to who may do them. */
export type SlideAction = "edit annotations" | "edit tours" | "export" | "view label";

export const allows = ({ allowed }: Pick<Manifest, "allowed">, action: SlideAction): boolean =>
  allowed === null || allowed.includes(action);

/** The thumbnail of a slide's current version. */
export function thumbnailPath(id: string): string {
  return `/api/v1/slides/${encodeURIComponent(id)}/thumbnail`;
}

export function parseSummary(value: unknown): SlideSummary {
  const from = asObject(value, "slide");
  const id = text(from, "id");
  return {
    id,
    title: textOrNull(from, "title") ?? id,
    digest: text(from, "digest"),
    created: textOrNull(from, "created"),
    width: whole(from, "width", 1, MOST_SIDE),
    height: whole(from, "height", 1, MOST_SIDE),
    planes: from.planes === undefined ? 1 : whole(from, "planes", 1, 65535),
    mpp: parseMpp(from),
    scale: parseScale(from.scale),
    objectivePower: numberOrNull(from, "objective_power"),
    vendor: textOrNull(from, "vendor"),
    profile: textOrNull(from, "profile") ?? "visual",
    bytes: sumOf(from.bytes),
    thumbnail: textOrNull(from, "thumbnail") ?? thumbnailPath(id),
    tags: parseTags(from.tags),
    editable: from.editable !== false,
  };
}

export function parseManifest(value: unknown): Manifest {
  const from = asObject(value, "manifest");
  const summary = parseSummary(value);
  const pyramid = new Pyramid(summary.width, summary.height);
  if (from.tile !== undefined && from.tile !== TILE)
    throw new ShapeError(`tiles of ${String(from.tile)} pixels are not known`);
  if (from.levels !== undefined && levelCount(from) !== pyramid.top + 1)
    throw new ShapeError("levels do not fit the slide's size");
  const source = from.source === undefined || from.source === null ? null : asObject(from.source, "source");
  return {
    ...summary,
    ...(from.preview === true ? { preview: true } : {}),
    url: text(from, "url"),
    top: pyramid.top,
    layers: whole(from, "layers", 1, 255),
    channels: whole(from, "channels", 1, 3),
    planeSpacingUm: numberOrNull(from, "plane_spacing_um"),
    icc: from.icc === true,
    sourceName: source && textOrNull(source, "name"),
    empty: parseEmptiness(from.empty, pyramid),
    allowed: from.allowed === undefined ? null : asArray(from.allowed, "allowed").map(String),
    details: parseDetails(from),
  };
}

export function parseSlidePage(value: unknown): SlidePage {
  const from = asObject(value, "slides");
  return { slides: asArray(from.slides, "slides").map(parseSummary), total: whole(from, "total") };
}

function parseTags(value: unknown): SlideSummary["tags"] {
  if (value === undefined) return {};
  const from = asObject(value, "tags");
  return Object.fromEntries(Object.keys(from).map((key) => [key, text(from, key)]));
}

function levelCount(from: Json): number {
  return Array.isArray(from.levels) ? from.levels.length : whole(from, "levels", 1, 64);
}

function parseMpp(from: Json): SlideSummary["mpp"] {
  if (from.mpp === null || from.mpp === undefined) return null;
  const mpp = asObject(from.mpp, "mpp");
  const x = numberOf(mpp, "x");
  const y = numberOf(mpp, "y");
  return x > 0 && y > 0 ? { x, y } : null;
}

/** Bytes in the store: a number, or sums per level and layer. */
function sumOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (!Array.isArray(value)) return null;
  return value.reduce<number>((sum, part) => sum + (sumOf(part) ?? 0), 0);
}
