import { decimal } from "@wavescope/core/geometry/figures";
import { Group, Slider, Text } from "@mantine/core";
import { useId, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import type { PlannerNumbers } from "@wavescope/core/wire/catalog/plannerClient";
import { type Field, labelOf, rejectionOf } from "./fields";
import { rounded } from "./figures";
import styles from "./planner.module.css";
import { NumberInput } from "../ui/NumberInput";

interface Props {
  readonly field: Field;
  readonly value: number;
  readonly numbers: PlannerNumbers;
  readonly onChange: (value: number) => void;
}

const STEPS = 200;

/** A number with a slider beside it. What is typed may be outside the slider; what is not possible is said, and changes nothing. */
export function NumberField({ field, value, numbers, onChange }: Props) {
  const id = useId();
  const [refused, setRefused] = useState<{ readonly typed: number | string; readonly beside: number } | null>(null);
  const shown = Number((value * (field.factor ?? 1)).toPrecision(6));
  const typed = refused?.beside === value ? refused.typed : null; // another value has taken its place
  const rejection = typed === null ? null : rejectionOf(field, typed, numbers);
  const change = (next: number): void => {
    setRefused(null);
    const whole = field.whole ? Math.round(next) : next;
    onChange(Number((whole / (field.factor ?? 1)).toPrecision(12)));
  };
  const type = (next: number | string): void => {
    if (typeof next === "number" && rejectionOf(field, next, numbers) === null) change(next);
    else setRefused({ typed: next, beside: value });
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {labelOf(field)}
        {field.hint && (
          <Text span size="xs" c="dimmed">
            {` (${t(field.hint)})`}
          </Text>
        )}
      </label>
      <Group wrap="nowrap" gap="md">
        <Slider
          flex={1}
          min={0}
          max={STEPS}
          value={placeOf(field, shown)}
          onChange={(place) => change(valueAt(field, place))}
          label={null}
          thumbLabel={labelOf(field)}
          thumbValueText={`${decimal(shown)} ${field.unit}`.trim()}
        />
        <NumberInput
          id={id}
          w={104}
          size="sm"
          value={typed ?? shown}
          clampBehavior="none"
          error={rejection !== null}
          aria-describedby={rejection === null ? undefined : `${id}-refusal`}
          onChange={type}
          hideControls
        />
      </Group>
      {rejection !== null && (
        <Text id={`${id}-refusal`} size="xs" className="failure" role="alert">
          {rejection} {t("planner.stillUses", { value: `${decimal(shown)} ${field.unit}`.trim() })}
        </Text>
      )}
    </div>
  );
}

function placeOf({ low, high, log }: Field, value: number): number {
  const inside = Math.min(high, Math.max(low, value));
  const part = log ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
  return Math.round(part * STEPS);
}

function valueAt({ low, high, log, whole }: Field, place: number): number {
  const value = log ? low * (high / low) ** (place / STEPS) : low + ((high - low) * place) / STEPS;
  return whole ? Math.max(1, Math.round(rounded(value))) : rounded(value);
}
