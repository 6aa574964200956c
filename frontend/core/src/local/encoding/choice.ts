/** Encode parameters for a slide and a quality; the twin of backend/src/wavescope/ingest/quality/choice.py. */
import type { Size } from "../../geometry/pyramid";
import { isPreset, psnrOfQuality } from "../../wire/catalog/jobs";
import type { Codec } from "./codec";
import { type Compression, ownError } from "./compression";
import type { Encoder } from "./encoder";
import { Real, halfEven, realOrNull, rounded } from "./json";
import { type Read, type Sample, type Tile, ofWholeTiles, sampleOf, tissue } from "./sampling";
import {
  CLOSE,
  COARSEST,
  EXACT_PSNR,
  OCTAVE,
  PIECES,
  PSNR_SLOPE,
  SCORE_SLOPE,
  Trials,
  losslessOf,
  minNumber,
  nearestNumber,
} from "./trials";

/** Of the presets: the score, the least PSNR of tiles in a slide, and the trial to begin with. */
const PRESETS = {
  compact: { score: 70, psnr: 29.25, start: -36 },
  visual: { score: 80, psnr: 32.25, start: -12 },
  fine: { score: 90, psnr: 32.25, start: 18 },
} as const;
type Lossy = keyof typeof PRESETS;

/** A preset, or a PSNR such as "40dB" (ST66). */
export type LocalQuality = Lossy | "auto" | "lossless" | `${number}dB`;

export function isLocalQuality(quality: string): quality is LocalQuality {
  return isPreset(quality) || psnrOfQuality(quality) !== null;
}

const CONFIDENT_MARGIN = 3;
/** Tiles on which the stored quality is measured, and those on which a requested PSNR is reached. */
const MAX_TILES = 6;
const TILES_OF_TARGET = 16;
/** From which the source's own error is estimated. */
const PIECES_OF_SOURCE = 16;
/** `auto`: dB by which the error stays below that of the source's own quantisation. */
const BELOW_SOURCE = 3;
/** `auto` aims at this share of the bytes that it must not exceed. */
const MARGIN = 0.93;
const BYTES_SLOPE = 0.02;
/** dB from a requested PSNR, and rounds of encoding the slide for it. */
const NEAR_ENOUGH = 0.2;
const MAX_ROUNDS = 3;

/** What `auto` needs to know of the file. */
export interface Source extends Size {
  readonly compression: Compression;
  /** Of its own tiles, else of the file; `auto` does not exceed them. */
  readonly maxBytes: number;
}

/** The encode parameters, without a key, and how they were chosen, as the manifest has it. */
export interface Choice {
  readonly codec: Codec;
  readonly chosen: Readonly<Record<string, string | Real | null | readonly string[]>>;
  /** On which the result is measured; none: those of `tilesWithTissue`. */
  readonly tiles: readonly Tile[];
  /** Bytes that the sample promises for the slide; of `auto` only. */
  readonly estimate: number;
}

/** What came of a round of encoding the slide: bytes of all layers, and the PSNR of level 0. */
export interface Reached {
  readonly bytes: number;
  readonly psnr: number | null;
}

/** Chooses, and chooses again where an encoded slide has not what was aimed at (ST66, ST67). */
export class Chooser {
  private readonly wanted: number | null;
  private readonly trials: Trials | null;
  private margin = MARGIN;
  private target: number | null;
  private round = 1;
  private choice: Choice;

  private constructor(
    private readonly encoder: Encoder,
    private readonly sample: Sample,
    private readonly quality: LocalQuality,
    private readonly source: Source,
  ) {
    this.wanted = this.target = psnrOfQuality(quality);
    const [steps, pieces] =
      this.wanted === null ? (["perceptual", PIECES] as const) : (["even", TILES_OF_TARGET] as const);
    this.trials = quality === "lossless" ? null : new Trials(encoder, sample, steps, pieces);
    this.choice = this.choose();
  }

  static async of(encoder: Encoder, read: Read, quality: LocalQuality, source: Source): Promise<Chooser> {
    const exact = psnrOfQuality(quality) !== null;
    const sample = await sampleOf(read, source, exact ? TILES_OF_TARGET : MAX_TILES);
    return new Chooser(encoder, exact ? await ofWholeTiles(read, source, sample) : sample, quality, source);
  }

  get current(): Choice {
    return this.choice;
  }

  /** Whether the slide is encoded again, with other parameters: the bytes are too many, or the PSNR was missed. */
  again(reached: Reached): boolean {
    return this.smaller(reached) || this.nearer(reached);
  }

  private smaller({ bytes }: Reached): boolean {
    if (this.quality !== "auto" || bytes <= this.source.maxBytes) return false;
    this.margin = (0.97 * this.choice.estimate) / bytes; // the sample promised fewer
    return this.changed();
  }

  private nearer({ psnr }: Reached): boolean {
    if (this.wanted === null || this.target === null || psnr === null || this.round === MAX_ROUNDS) return false;
    if (Math.abs(this.wanted - psnr) <= NEAR_ENOUGH) return false;
    this.target = this.target + this.wanted - psnr;
    this.round += 1;
    return this.changed();
  }

  private changed(): boolean {
    const before = this.choice.codec;
    this.choice = this.choose();
    return JSON.stringify(this.choice.codec) !== JSON.stringify(before);
  }

  private choose(): Choice {
    const { trials, sample } = this;
    if (!trials) return { ...this.lossless(losslessOf(this.encoder, sample.image), "target"), tiles: [] };
    if (this.target !== null) {
      const start = halfEven((this.target - 37) / PSNR_SLOPE);
      return this.visual(
        trials,
        nearestNumber((n) => trials.psnrOfTiles(n), this.target, PSNR_SLOPE, start),
        "target",
      );
    }
    return this.quality === "auto"
      ? this.auto(trials)
      : this.visual(trials, ...presetOf(trials, this.quality as Lossy));
  }

  private auto(trials: Trials): Choice {
    const { compression, width, height, maxBytes } = this.source;
    const area = width * height;
    const most = (this.margin * maxBytes) / area;
    if (compression.kind === "lossless") {
      const size = trials.losslessBytesPerPixel();
      if (size <= most)
        return { ...this.lossless(trials.lossless, "compression of the source"), estimate: size * area };
    }
    let [number, reason] = presetOf(trials, "visual");
    const error = this.errorOfSource(compression);
    if (error > 0) {
      const deserved = Math.min(EXACT_PSNR, 10 * Math.log10(255 ** 2 / error) + BELOW_SOURCE);
      if (trials.psnr(number) > deserved) {
        number = minNumber((n) => trials.psnr(n), deserved, PSNR_SLOPE, number, CLOSE / 4);
        reason = "compression of the source";
      }
    }
    if (trials.bytesPerPixel(number) > most)
      [number, reason] = [largestWithin(trials, most, number), "bytes of the source"];
    return { ...this.visual(trials, number, reason), estimate: trials.bytesPerPixel(number) * area };
  }

  /** Mean squared error of the source's own quantisation. */
  private errorOfSource(compression: Compression): number {
    const errors = tissue(this.sample, PIECES_OF_SOURCE).map((at) => ownError(this.sample.pieces[at]!, compression));
    return errors.reduce((sum, one) => sum + one, 0) / errors.length;
  }

  private visual(trials: Trials, number: number, reason: string): Choice {
    const [psnr, score] = [rounded(trials.psnrOfTiles(number), 2), rounded(trials.score(number), 1)];
    return this.made(trials.codec(number), reason, rounded(2 ** (-number / OCTAVE), 4), psnr, score);
  }

  private lossless(codec: Codec, reason: string): Choice {
    return this.made(codec, reason, null, EXACT_PSNR, 100);
  }

  private made(codec: Codec, reason: string, factor: number | null, psnr: number, score: number): Choice {
    const chosen: Choice["chosen"] = {
      quality: this.quality,
      reason,
      target: realOrNull(this.wanted),
      factor: realOrNull(factor),
      psnr: new Real(psnr),
      measure: "SSIMULACRA 2",
      score: new Real(score),
      reencoded: [],
    };
    return { codec, chosen, tiles: this.sample.tiles, estimate: 0 };
  }
}

/** The coarsest trial with a preset's score and PSNR, and which of them decided. */
function presetOf(trials: Trials, preset: Lossy): [number, string] {
  const { score, psnr, start } = PRESETS[preset];
  const number = minNumber((n) => trials.score(n), score, SCORE_SLOPE, start);
  if (trials.psnr(number) >= psnr + CONFIDENT_MARGIN || trials.psnrInSlide(number) >= psnr) return [number, "score"];
  return [minNumber((n) => trials.psnrInSlide(n), psnr, PSNR_SLOPE, number, CLOSE / 4), "least PSNR"];
}

/** The finest trial of at most so many bytes a pixel. */
function largestWithin(trials: Trials, limit: number, start: number): number {
  if (limit <= 0) return COARSEST;
  const guess = start - halfEven(Math.log(trials.bytesPerPixel(start) / limit) / BYTES_SLOPE);
  let number = minNumber((n) => Math.log(trials.bytesPerPixel(n)), Math.log(limit), BYTES_SLOPE, guess);
  while (trials.bytesPerPixel(number) > limit && number > COARSEST) number -= 1;
  return number;
}
