/** Ingest jobs (wire/jobs.md, WI26-WI29, WI70-WI74). */
import { problemText } from "../http/explain";
import type * as Wire from "../generated/types";

/** The image qualities with names, from small to exact; `auto` depends on the file. */
export const PRESETS = ["compact", "visual", "fine", "auto", "lossless"] as const;
export type Preset = (typeof PRESETS)[number];

/** A requested PSNR of the finest level, in dB (ST66). */
export const LEAST_PSNR = 30;
export const MOST_PSNR = 50;

/** The quality that requests a PSNR, to a tenth of a dB. */
export function qualityOfPsnr(psnr: number): string {
  return `${Number(psnr.toFixed(1))}dB`;
}

/** The dB that a quality requests; null: a preset, or nothing that the service accepts. */
export function psnrOfQuality(quality: string): number | null {
  const psnr = Number(/^(\d{2}(?:\.\d)?)dB$/.exec(quality)?.[1] ?? NaN);
  return psnr >= LEAST_PSNR && psnr <= MOST_PSNR ? psnr : null;
}

/** A requested error of channels, in standard deviations of their noise (ST66). */
export const LEAST_SIGMA = 0.05;
export const MOST_SIGMA = 5;

/** The quality that requests an error of channels. */
export function qualityOfSigma(sigma: number): string {
  return `${Number(sigma.toFixed(2))}sigma`;
}

/** The error that a quality requests; null: another quality, or nothing that the service accepts. */
export function sigmaOfQuality(quality: string): number | null {
  const sigma = Number(/^(\d(?:\.\d{1,2})?)sigma$/.exec(quality)?.[1] ?? NaN);
  return sigma >= LEAST_SIGMA && sigma <= MOST_SIGMA ? sigma : null;
}

export function isPreset(quality: string): quality is Preset {
  return PRESETS.some((preset) => preset === quality);
}

/** What is requested of a file whose kind is not known yet: of a picture, and of channels. */
export interface Qualities {
  /** A preset, or a PSNR of the finest level such as "40dB". */
  readonly quality: string;
  /** A preset, or an error such as "0.3sigma". */
  readonly channelQuality: string;
}

/** As parameters (WI25): one holds for both unless channels have their own. */
export function qualityParameters({ quality, channelQuality }: Qualities) {
  return { quality, ...(channelQuality !== quality && { channel_quality: channelQuality }) };
}

export type JobState = Wire.JobBody["state"];

export interface Job extends Qualities {
  readonly id: string;
  readonly state: JobState;
  readonly filename: string;
  readonly slideId: string | null;
  readonly done: number;
  readonly total: number;
  readonly secondsLeft: number | null;
  /** The time point of the file, from 1. */
  readonly time: number;
  /** The slide that gets a new version from its stored pixels; null: a file is imported. */
  readonly reencodes: string | null;
  /** Ids of slides made of the same file, while the uploader is asked what becomes of them. */
  readonly storedAs: readonly string[];
  /** What to know of the files of a job that is done. */
  readonly notices: readonly string[];
  readonly error: { readonly title: string; readonly detail: string } | null;
}

export function jobOf(body: Wire.JobBody): Job {
  const { id, state, filename, done, total, quality, error } = body;
  return {
    id,
    state,
    filename,
    slideId: body.slide_id,
    done,
    total,
    secondsLeft: body.seconds_left,
    quality,
    channelQuality: body.channel_quality || quality,
    time: body.time ?? 1,
    reencodes: body.reencodes,
    storedAs: body.stored_as,
    notices: body.notices,
    error: error && { ...error, detail: problemText(error.type, error.detail || error.title) },
  };
}

export function hasEnded(job: Job): boolean {
  return job.state === "done" || job.state === "failed" || job.state === "cancelled";
}
