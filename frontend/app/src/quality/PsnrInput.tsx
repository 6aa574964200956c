import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { LEAST_PSNR, MOST_PSNR } from "@wavescope/core/wire/catalog/jobs";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  /** In dB; null: what is typed is out of range. */
  readonly psnr: number | null;
  readonly onEnter: (psnr: number | null) => void;
}

/** The entry of a PSNR; typing in it chooses it. */
export function PsnrInput({ psnr, onEnter }: Props) {
  const [typed, setTyped] = useState<number | string>(psnr ?? "");
  const change = (value: number | string): void => {
    setTyped(value);
    const entered = typeof value === "number" && value >= LEAST_PSNR && value <= MOST_PSNR ? value : null;
    onEnter(entered);
  };
  const limits = { least: LEAST_PSNR, most: MOST_PSNR };
  return (
    <NumberInput
      value={typed}
      onChange={change}
      min={LEAST_PSNR}
      max={MOST_PSNR}
      step={0.5}
      decimalScale={1}
      allowNegative={false}
      clampBehavior="none"
      suffix=" dB"
      inputMode="decimal"
      ml={32}
      maw={320}
      aria-label={t("quality.psnrInDecibels")}
      description={t("quality.requestedPsnrHint", limits)}
      inputWrapperOrder={["input", "description", "error"]}
      error={psnr === null}
    />
  );
}
