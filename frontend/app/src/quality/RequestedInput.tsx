import { useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import type { Unit } from "./units";
import { NumberInput } from "../ui/NumberInput";

interface Props {
  readonly unit: Unit;
  /** In the unit; null: what is typed is out of range. */
  readonly value: number | null;
  readonly onEnter: (value: number | null) => void;
}

/** The entry of a quality in numbers; typing in it chooses it. */
export function RequestedInput({ unit, value, onEnter }: Props) {
  const [typed, setTyped] = useState<number | string>(value ?? "");
  const { least, most } = unit;
  const change = (entered: number | string): void => {
    setTyped(entered);
    onEnter(typeof entered === "number" && entered >= least && entered <= most ? entered : null);
  };
  return (
    <NumberInput
      value={typed}
      onChange={change}
      min={least}
      max={most}
      step={unit.step}
      decimalScale={unit.decimals}
      allowNegative={false}
      clampBehavior="none"
      suffix={unit.suffix}
      inputMode="decimal"
      ms={32}
      maw={320}
      aria-label={unit.label}
      description={t(unit.hint, { least, most })}
      inputWrapperOrder={["input", "description", "error"]}
      error={value === null}
    />
  );
}
