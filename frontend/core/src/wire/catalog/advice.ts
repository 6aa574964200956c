/** What an ingest makes of a file or of a stored slide, and in which quality (wire/jobs.md, WI51, WI70 to WI74). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import { ContractError } from "../http/errors";
import {
  type Job,
  PRESETS,
  type Preset,
  type Qualities,
  isPreset,
  jobOf,
  psnrOfQuality,
  qualityParameters,
} from "./jobs";

/** The disk needs this much of the size (WI51). */
const SPACE = 1.3;

/** `fits`: whether there is space for it; `psnr` in dB of the finest level, 99: every pixel is exact. */
export type Expected = Readonly<Wire.Expected>;

/** Of a file with more than 8 bits: `lossless` is refused (store.md, ST98). */
export type SampleWindow = Readonly<Wire.WindowView>;

/** SSIMULACRA 2, or of channels the error in standard deviations of their noise. */
export type Measure = "SSIMULACRA 2" | "sigma";

export interface Advice {
  readonly width: number;
  readonly height: number;
  readonly planes: number;
  readonly sourceBytes: number;
  readonly rawBytes: number;
  readonly freeBytes: number;
  readonly presets: Readonly<Record<Preset, Expected>>;
  /** By rising PSNR, from about 30 to 50 dB. */
  readonly byPsnr: readonly Expected[];
  /** Which samples of the file become 0 and 255; null: its samples are those that are stored. */
  readonly window: SampleWindow | null;
  /** Time points of the file: one is imported. */
  readonly times: number;
  /** What the scores are. */
  readonly measure: Measure;
}

export async function readAdvice(id: string, signal?: AbortSignal): Promise<Advice> {
  return adviceOf(await call("GET /jobs/{job_id}/advice", { path: { job_id: id }, signal }));
}

/** What a new version of a stored slide takes. */
export async function readReencodeAdvice(slideId: string, signal?: AbortSignal): Promise<Advice> {
  return adviceOf(await call("GET /slides/{slide_id}/reencode", { path: { slide_id: slideId }, signal }));
}

/** Starts the job that makes a new version of a stored slide. */
export async function startReencoding(slideId: string, quality: string): Promise<Job> {
  return jobOf(await call("POST /slides/{slide_id}/reencode", { path: { slide_id: slideId }, query: { quality } }));
}

/** What else is chosen when a job begins: the slide that gets a new version; whether the file is stored (WI133); the time point, from 1. */
export interface StartOptions {
  readonly replace?: string;
  readonly keepOriginal?: boolean;
  readonly time?: number;
}

/** Begins a held job, or one that runs with other options once more. */
export async function startJob(id: string, qualities: Qualities, options: StartOptions = {}): Promise<Job> {
  const { replace, keepOriginal: keep_original, time } = options;
  const query = { ...qualityParameters(qualities), replace, keep_original, time };
  return jobOf(await call("POST /jobs/{job_id}/start", { path: { job_id: id }, query }));
}

/** The estimate for a preset or a requested PSNR; null where there is none. */
export function expectedOf(advice: Advice, quality: string): Expected | null {
  if (isPreset(quality)) return advice.presets[quality];
  const psnr = psnrOfQuality(quality);
  return psnr === null ? null : expectedAt(advice, psnr);
}

/** Between its two neighbours by PSNR, beyond the ends along the outermost two: the logarithm of bytes is nearly straight. */
function expectedAt({ byPsnr, freeBytes }: Advice, psnr: number): Expected | null {
  const rising = byPsnr.filter((one, i) => i === 0 || one.psnr > byPsnr[i - 1]!.psnr);
  if (rising.length < 2) return null;
  const after = rising.findIndex((one) => one.psnr >= psnr);
  const right = after < 0 ? rising.length - 1 : Math.max(1, after);
  const [low, high] = [rising[right - 1]!, rising[right]!];
  const share = (psnr - low.psnr) / (high.psnr - low.psnr);
  const between = (from: number, to: number): number => from + share * (to - from);
  const logarithm = between(Math.log(Math.max(1, low.bytes)), Math.log(Math.max(1, high.bytes)));
  const bytes = Math.round(Math.exp(Math.min(logarithm, 45)));
  const score = Math.min(100, between(low.score, high.score));
  return {
    bytes,
    seconds: Math.max(0, between(low.seconds, high.seconds)),
    psnr,
    score,
    fits: SPACE * bytes < freeBytes,
  };
}

function adviceOf({ width, height, planes, presets, ...bytes }: Wire.AdviceView): Advice {
  const missing = PRESETS.find((preset) => !presets[preset]);
  if (missing) throw new ContractError("advice of a job", `/presets/${missing}`, "missing");
  return {
    width,
    height,
    planes,
    sourceBytes: bytes.source_bytes,
    rawBytes: bytes.raw_bytes,
    freeBytes: bytes.free_bytes,
    presets,
    byPsnr: bytes.by_psnr,
    window: bytes.window ?? null,
    times: bytes.times ?? 1,
    measure: bytes.measure === "sigma" ? "sigma" : "SSIMULACRA 2",
  };
}
