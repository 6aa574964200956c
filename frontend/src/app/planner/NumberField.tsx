import { Group, NumberInput, Slider, Text } from "@mantine/core";
import { useId } from "react";
import { t } from "../../i18n/i18n";
import { type Field, labelOf } from "./fields";
import { rounded } from "./figures";
import styles from "./planner.module.css";

interface Props {
  readonly field: Field;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

const STEPS = 200;

/** A number with a slider beside it. What is typed may be outside the slider, not outside what is possible. */
export function NumberField({ field, value, onChange }: Props) {
  const id = useId();
  const shown = Number((value * (field.factor ?? 1)).toPrecision(6));
  const change = (next: number): void => {
    const whole = field.whole ? Math.round(next) : next;
    onChange(Number((whole / (field.factor ?? 1)).toPrecision(12)));
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
          thumbValueText={`${shown} ${field.unit}`.trim()}
        />
        <NumberInput
          id={id}
          w={104}
          size="sm"
          value={shown}
          min={field.whole ? 1 : 0}
          max={field.unit === "%" ? 100 : 1_000_000}
          decimalScale={field.whole ? 0 : 3}
          onChange={(next) => {
            if (typeof next === "number" && (next > 0 || field.low === 0)) change(next);
          }}
          hideControls
        />
      </Group>
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
