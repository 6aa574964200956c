/** The units in which a quality can be requested: dB of pictures, noise of channels. */
import { decimal } from "@wavescope/core/geometry/figures";
import type { Expected, Measure } from "@wavescope/core/wire/catalog/advice";
import {
  LEAST_PSNR,
  LEAST_SIGMA,
  MOST_PSNR,
  MOST_SIGMA,
  psnrOfQuality,
  qualityOfPsnr,
  qualityOfSigma,
  sigmaOfQuality,
} from "@wavescope/core/wire/catalog/jobs";
import { t } from "@wavescope/core/i18n/i18n";
import { meaningOfScore } from "./labels";

export interface Unit {
  readonly least: number;
  readonly most: number;
  /** What is offered before anything is entered. */
  readonly first: number;
  readonly step: number;
  readonly decimals: number;
  readonly suffix: string;
  readonly title: string;
  readonly label: string;
  readonly hint: "quality.requestedPsnrHint" | "quality.requestedErrorHint";
  readonly qualityOf: (value: number) => string;
  /** Null: the quality is not in this unit. */
  readonly valueOf: (quality: string) => number | null;
  /** What an estimate means; empty: nothing is estimated. */
  readonly meaning: (expected: Expected) => string;
  /** What a preset reaches. */
  readonly reached: (meaning: string, expected: Expected) => string;
}

const DECIBELS: Unit = {
  least: LEAST_PSNR,
  most: MOST_PSNR,
  first: 40,
  step: 0.5,
  decimals: 1,
  suffix: " dB",
  title: t("quality.requestedPsnr"),
  label: t("quality.psnrInDecibels"),
  hint: "quality.requestedPsnrHint",
  qualityOf: qualityOfPsnr,
  valueOf: psnrOfQuality,
  meaning: ({ score }) => meaningOfScore(score),
  reached: (meaning, { psnr }) => t("quality.meaningAndPsnr", { meaning, psnr: decimal(psnr.toFixed(1)) }),
};

const NOISE: Unit = {
  least: LEAST_SIGMA,
  most: MOST_SIGMA,
  first: 0.3,
  step: 0.05,
  decimals: 2,
  suffix: " σ",
  title: t("quality.requestedError"),
  label: t("quality.errorInNoise"),
  hint: "quality.requestedErrorHint",
  qualityOf: qualityOfSigma,
  valueOf: sigmaOfQuality,
  meaning: () => "",
  reached: (_, { score }) => t("quality.errorReached", { sigma: decimal(score.toFixed(2)) }),
};

export const unitOf = (measure: Measure | undefined): Unit => (measure === "sigma" ? NOISE : DECIBELS);
