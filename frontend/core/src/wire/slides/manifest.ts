/** Slides and their manifests (wire/catalog.md, WI5-WI8), as the page uses them. */
import { Pyramid, TILE } from "../../geometry/pyramid";
import type * as Wire from "../generated/types";
import { ContractError } from "../http/errors";
import { type SlideDetails, detailsOf } from "./details";
import { type OccupancyMap, occupancyMapOf } from "./occupancyMap";
import type { ScaleOrigin } from "./scale";
import type { SlideFiles } from "./slideFiles";

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
  /** The quality of the scan (QM11), as shares; null: it was not judged. */
  readonly findings: Wire.FindingsView | null;
  /** Whether who asked may rename, tag, share and delete it; also where the service does not tell: it decides anyway. */
  readonly editable: boolean;
}

/** What describes a channel (ST111), as far as it is used here; the service has checked it. */
export type Channel = Pick<Wire.ChannelView, "name" | "colour" | "display" | "noise">;

/** The parameter sets of all channels, by level, and what describes each. */
export interface ChannelGroups
  extends Pick<Wire.ManifestView, "parameters" | "channel_groups" | "bit_depth" | "signed"> {
  readonly channel_descriptions: readonly Channel[];
}

export interface Manifest extends SlideSummary {
  /** `/api/v1/slides/{id}/v/{digest}` */
  readonly url: string;
  readonly top: number;
  readonly layers: number;
  readonly channels: number;
  /** Of a slide of channels, each stored by itself; null: a picture of RGB or 8-bit grey. */
  readonly groups: ChannelGroups | null;
  /** Per level, the parameter set of its blocks, of the top level that of the approximation, in hexadecimal (CS9). */
  readonly parameters: readonly string[];
  readonly planeSpacingUm: number | null;
  /** Whether the source came with an ICC profile. */
  readonly icc: boolean;
  readonly sourceName: string | null;
  /** A slide that is not imported yet, read from its source file: pixels come from the service, and nothing is stored. */
  readonly preview?: true;
  /** Which blocks of the plane that opens first are stored; null: only the layer index tells. */
  readonly empty: OccupancyMap | null;
  /** What who asked may do with it (access.md, AC50); null: the service does not tell, and decides anyway. */
  readonly allowed: readonly string[] | null;
  /** The stored original file; null: there is none, or not for who asked (WI132). */
  readonly original: { readonly name: string; readonly bytes: number } | null;
  readonly details: SlideDetails;
  /** It is read from files, without a service (SH5). */
  readonly files?: SlideFiles;
}

export interface SlidePage {
  readonly slides: readonly SlideSummary[];
  readonly total: number;
}

/** Scanners lay the sharpest plane in the middle: slides open there, and thumbnails show it. */
export function middlePlane(planes: number): number {
  return Math.floor(planes / 2);
}

/** Actions of the table of access.md that the page offers only to users who may do them. */
export type SlideAction =
  | "edit annotations"
  | "edit mixes"
  | "edit overlays"
  | "edit quizzes"
  | "edit tours"
  | "export"
  | "share slide"
  | "view label"
  | "view shared coverage";

export const allows = ({ allowed }: Pick<Manifest, "allowed">, action: SlideAction): boolean =>
  allowed === null || allowed.includes(action);

/** The thumbnail of a slide's current version. */
export function thumbnailPath(id: string): string {
  return `/api/v1/slides/${encodeURIComponent(id)}/thumbnail`;
}

/** A slide of the catalog, of a case, of the trash, or of a job that has not ended; a member that one of them lacks is optional. */
type ServedSlide = Omit<Wire.SlideSummary, "created" | "updated" | "scale" | "bytes"> &
  Partial<Pick<Wire.ListedSlide, "created" | "scale" | "bytes" | "editable">>;

export function summaryOf(slide: Wire.SlideSummary | Wire.ListedSlide | Wire.PreviewView): SlideSummary {
  const served: ServedSlide = { tags: {}, profile: "visual", layers: 1, ...slide };
  const { id, title, digest, width, height, planes, mpp, vendor, profile, thumbnail, tags } = served;
  return {
    id,
    title,
    digest,
    created: served.created ?? null,
    width,
    height,
    planes,
    mpp: mpp && mpp.x > 0 && mpp.y > 0 ? mpp : null,
    scale: served.scale ?? null,
    objectivePower: served.objective_power,
    vendor,
    profile,
    bytes: served.bytes ? sumOf(served.bytes) : null,
    thumbnail,
    tags,
    findings: served.findings ?? null,
    editable: served.editable ?? true,
  };
}

/** Throws ContractError where the parts of the manifest do not fit each other. */
export function manifestOf(served: Wire.ManifestView | Wire.PreviewView): Manifest {
  const pyramid = new Pyramid(served.width, served.height);
  const fault = (path: string, rule: string): ContractError =>
    new ContractError(`manifest of ${served.url}`, path, rule);
  const whole = "format" in served ? served : null;
  const tile = served.tile ?? TILE;
  if (tile !== TILE) throw fault("/tile", `tiles of ${tile} pixels are not supported`);
  if (served.levels !== pyramid.top + 1) throw fault("/levels", "levels do not fit the slide's size");
  if (whole) {
    if (!/^1\.\d+$/.test(whole.version)) throw fault("/version", `version ${whole.version} is not supported`);
    if (!whole.channel_descriptions && (whole.bit_depth !== 8 || whole.signed))
      throw fault("/bit_depth", "channels are not described");
    if (whole.parameters.length !== served.levels) throw fault("/parameters", "parameter sets do not fit the levels");
  }
  return {
    ...summaryOf(served),
    ...(whole ? {} : { preview: true }),
    url: served.url,
    top: pyramid.top,
    layers: served.layers ?? 1,
    channels: served.channels,
    groups: whole && groupsOf(whole),
    parameters: whole ? whole.parameters.map((groups) => groups[0] ?? "") : [],
    planeSpacingUm: whole && whole.plane_spacing_um,
    icc: whole?.icc ?? false,
    sourceName: whole && whole.source.name,
    empty: whole?.empty ? occupancyMapOf(whole.empty, pyramid, fault) : null,
    allowed: whole && whole.allowed,
    original: whole?.original ?? null,
    details: detailsOf(whole),
  };
}

function groupsOf(whole: Wire.ManifestView): ChannelGroups | null {
  const { parameters, channel_groups, bit_depth, signed, channel_descriptions } = whole;
  return channel_descriptions ? { parameters, channel_groups, bit_depth, signed, channel_descriptions } : null;
}

/** Bytes in the store, of all levels and layers. */
function sumOf(bytes: readonly (readonly number[])[]): number {
  return bytes.flat().reduce((sum, part) => sum + part, 0);
}
