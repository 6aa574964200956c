/**
 * A receipt of what was shown (proof.md, PF8 to PF12): which pixels of which version of a slide, how sharp, with which adjustments,
 * and two hashes. Comes when it is needed: import it dynamically.
 */
import { levelForScale } from "@wavescope/core/geometry/field";
import { TILE } from "@wavescope/core/geometry/pyramid";
import { Sha256 } from "@wavescope/core/sha256";
import { type Shown, channelsOf, defaultMix, mixOfEntries } from "@wavescope/core/tiles/channels/mix";
import { type Fidelity, fidelityOf } from "@wavescope/core/tiles/state";
import { t } from "@wavescope/core/i18n/i18n";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import type { Microscope } from "../../core/microscope";
import { snapPlacement } from "../../core/tileLayout";
import { turned } from "../../core/viewLink";
import { type Adjustments, changedOf, isPlain } from "../../light/adjustments";
import { lightOf } from "../../light/light";
import { viewCanvas } from "../viewPicture";
import { type Rectangle, isUpright, shownRectangle } from "./rectangle";

/** Who took a receipt, and when. */
export interface Taken {
  /** The version of the page. */
  readonly wavescope: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly account: string | null;
}

/** A channel of the picture, as it was shown (CM1). */
export interface ShownChannel extends Shown {
  readonly name: string;
}

/** What one canvas showed of one slide. */
export interface ShownSlide {
  readonly slide: { readonly width: number; readonly height: number } & (
    | { readonly id: string; readonly digest: string }
    /** A file of this computer, without its name. */
    | { readonly file: { readonly bytes: number; readonly sha256: string } }
  );
  readonly view: Rectangle & {
    readonly level: number;
    readonly plane: number;
    /** Device pixels that cover a pixel of the level. */
    readonly scale: number;
    readonly rotation: number;
    readonly flip: boolean;
  };
  readonly canvas: Rectangle & {
    readonly corner: readonly [number, number];
    /** Device pixels of a CSS pixel. */
    readonly density: number;
  };
  readonly fidelity: {
    readonly state: Fidelity;
    readonly tiles: number;
    /** Of these tiles, those drawn with fewer layers than are stored, or from a coarser level. */
    readonly coarse: number;
    readonly layers: number;
    readonly fewest_layers: number;
  };
  /** The mix; null: a picture of RGB or grey. */
  readonly channels: readonly ShownChannel[] | null;
  /** By their names; null: the picture is as stored, of channels as they are mixed. */
  readonly adjustments: Readonly<Record<string, unknown>> | null;
  readonly colour_profile: boolean;
  /** Whether the pixels of the canvas follow from those of the level alone: each is repeated a whole number of times. */
  readonly exact: boolean;
  readonly sha256: { readonly level: string | null; readonly canvas: string };
  /** The view, made smaller: PNG as a data URL. */
  readonly picture: string;
}

export interface Receipt extends Taken, ShownSlide {
  readonly kind: "wavescope-receipt";
  readonly form: 2;
}

/** Whether what is shown of a slide can have a receipt: the service has no version yet of one that is being imported. */
export const hasReceipt = ({ preview, files }: Pick<Manifest, "preview" | "files">): boolean =>
  !preview || files !== undefined;

/** Longer side of the small picture, in pixels. */
const PICTURE = 480;
const CHANNELS = 3;

/** What is on the screen now; the pixels of the level are read afterwards. Null: nothing of the slide is in view. */
export function takeReceipt(
  microscope: Microscope,
  { wavescope, account }: Pick<Taken, "wavescope" | "account">,
): Promise<Receipt> | null {
  const taken = { wavescope, time: new Date().toISOString(), account };
  const shown = takeShown(microscope);
  return shown && shown.then((rest) => ({ kind: "wavescope-receipt", form: 2, ...taken, ...rest }));
}

/** `covered`: whether something else is mixed into the picture. */
export function takeShown(microscope: Microscope, covered = false): Promise<ShownSlide> | null {
  const { manifest, pyramid, viewer, plane } = microscope;
  const { region, scale: l0_scale } = microscope.reading();
  const level = levelForScale(pyramid, l0_scale);
  const origin = { canvas_x: -region.l0_x * l0_scale, canvas_y: -region.l0_y * l0_scale };
  const placement = snapPlacement({ ...origin, l0_scale }, level);
  const turn = { rotation: turned(viewer.viewport.getRotation(true)), flip: viewer.viewport.getFlip() };
  const { width, height } = microscope.canvas;
  const shown = shownRectangle({ width, height }, placement, turn, level, pyramid.levelSize(level));
  if (!shown) return null;
  const { adjustments, profiled } = lightOf(microscope).state.getState();
  const tiles = microscope.tileStates();
  const fidelity = fidelityOf(tiles);
  const canvas = viewCanvas(microscope, []);
  const scale = placement.l0_scale * 2 ** level;
  const asStored = isPlain(adjustments) && !profiled && !adjustments.extended && !covered;
  const facts = {
    view: { level, ...shown.level, plane, scale, ...turn },
    canvas: { ...shown.canvas, corner: shown.corner, density: devicePixelRatio },
    fidelity: {
      state: fidelity,
      tiles: tiles.length,
      coarse: tiles.filter(({ state, current }) => state !== "exact" || !current).length,
      layers: manifest.layers,
      fewest_layers: Math.min(manifest.layers, ...tiles.map(({ K, current }) => (current ? K : 0))),
    },
    channels: shownChannels(manifest, adjustments),
    adjustments: changedOf({ ...adjustments, overlays: null, mix: null }),
    colour_profile: profiled,
    exact: asStored && isUpright(turn) && Number.isInteger(scale) && fidelity === "exact",
  };
  const picture = smaller(canvas).toDataURL("image/png");
  return withHashes(microscope, facts, canvas, picture);
}

function shownChannels(manifest: Manifest, { mix }: Adjustments): readonly ShownChannel[] | null {
  const channels = channelsOf(manifest);
  if (channels.length === 0) return null;
  return (mix ? mixOfEntries(mix) : defaultMix(channels)).map((one) => ({ ...one, name: channels[one.c]!.name }));
}

async function withHashes(
  microscope: Microscope,
  facts: Omit<ShownSlide, "slide" | "sha256" | "picture">,
  canvas: HTMLCanvasElement,
  picture: string,
): Promise<ShownSlide> {
  const { id, digest, width, height, files } = microscope.manifest;
  const hashes = { level: await levelHash(microscope, facts.view), canvas: canvasHash(canvas, facts.canvas) };
  const file = await files?.fingerprint?.();
  return { slide: { ...(file ? { file } : { id, digest }), width, height }, ...facts, sha256: hashes, picture };
}

/**
 * Of the RGB bytes of a rectangle of a level, row by row, with all layers; of channels as they are mixed. Null where the page has no such
 * pixels: those that the service makes, and those that are computed from several planes. Throws what fetching throws, and an Error if
 * the channels are mixed in another way meanwhile.
 */
async function levelHash(microscope: Microscope, view: ShownSlide["view"]): Promise<string | null> {
  const { manifest, source } = microscope;
  const { variant } = source;
  if (lightOf(microscope).state.getState().adjustments.extended) return null;
  if (source.kind !== "wavelet" && !manifest.files) return null;
  const { level, x, y, width, height, plane } = view;
  const hash = new Sha256();
  for (let row = Math.floor(y / TILE); row * TILE < y + height; row += 1) {
    const [top, bottom] = [Math.max(y, row * TILE), Math.min(y + height, (row + 1) * TILE)];
    const strip = new Uint8Array((bottom - top) * width * CHANNELS);
    for (let column = Math.floor(x / TILE); column * TILE < x + width; column += 1) {
      const tile = await microscope.pixels(plane, level, column, row, manifest.layers);
      const [left, right] = [Math.max(x, column * TILE), Math.min(x + width, (column + 1) * TILE)];
      for (let line = top; line < bottom; line += 1) {
        const from = (line - row * TILE) * tile.width - column * TILE;
        copyRgb(tile.rgba, from + left, right - left, strip, (line - top) * width + left - x);
      }
    }
    if (source.variant !== variant) throw new Error(t("receipt.mixChanged"));
    hash.update(strip);
  }
  return hash.hex();
}

/** Of the RGB bytes of a rectangle of a canvas, row by row. */
function canvasHash(canvas: HTMLCanvasElement, { x, y, width, height }: Rectangle): string {
  const { data } = canvas.getContext("2d")!.getImageData(x, y, width, height);
  const rgb = new Uint8Array(width * height * CHANNELS);
  copyRgb(data, 0, width * height, rgb, 0);
  return new Sha256().update(rgb).hex();
}

/** `from` and `to`: pixels. */
function copyRgb(rgba: Uint8ClampedArray, from: number, count: number, rgb: Uint8Array, to: number): void {
  for (let i = 0; i < count; i += 1) {
    for (let channel = 0; channel < CHANNELS; channel += 1)
      rgb[(to + i) * CHANNELS + channel] = rgba[(from + i) * 4 + channel]!;
  }
}

function smaller(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const small = document.createElement("canvas");
  const shrunk = Math.min(1, PICTURE / Math.max(canvas.width, canvas.height));
  small.width = Math.max(1, Math.round(canvas.width * shrunk));
  small.height = Math.max(1, Math.round(canvas.height * shrunk));
  const pen = small.getContext("2d")!;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(canvas, 0, 0, small.width, small.height);
  return small;
}
