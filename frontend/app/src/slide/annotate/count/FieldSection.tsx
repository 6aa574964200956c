import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useStore } from "zustand";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { type FieldSize, areaMm2, fieldAt, fieldsAlong } from "@wavescope/viewer/annotate/count/fields";
import type { Mpp } from "@wavescope/core/geometry/measure";
import { useAnnotationState } from "../../../microscope/useAnnotations";
import { change, counting, placeNext } from "./counting";
import { sizeLabel } from "./result";
import { BOUNDS, isWithin } from "./setup";
import { NumberInput } from "../../../ui/NumberInput";
import { t } from "@wavescope/core/i18n/i18n";

const MOST = 10; // fields along a path, until another number is entered
const MAX_FIELDS = 500;

interface Props {
  readonly annotations: Annotations;
  readonly mpp: Mpp;
}

/** How large a field is, and where fields are placed. */
export function FieldSection({ annotations, mpp }: Props) {
  const { store, layer } = annotations;
  const { size } = useStore(counting, (state) => state.current);
  const placed = useAnnotationState(annotations, () => store.fields().length);
  const path = useAnnotationState(annotations, ({ selected }) => pathOf(annotations, selected));
  const [most, setMost] = useState(MOST);
  const along = (): void => {
    const spots = fieldsAlong(path ?? [], size, mpp, most);
    store.addFields(
      spots.map((spot) => fieldAt(spot, size, mpp)),
      layer.microscope.plane,
    );
  };
  return (
    <Stack gap={6} component="section" aria-label={t("counting.fields")}>
      <SizeFields size={size} onChange={(changed) => change(annotations, { size: changed })} />
      <Group gap={6}>
        <Button size="xs" variant="default" onClick={() => placeNext(annotations)}>
          {t("counting.nextField")}
        </Button>
        <Button size="xs" variant="default" onClick={() => store.set({ tool: "field", draft: null })}>
          {t("counting.placeByClick")}
        </Button>
      </Group>
      <Group gap={6} align="end">
        <NumberInput
          size="xs"
          w={80}
          label={t("counting.most")}
          value={most}
          min={1}
          max={MAX_FIELDS}
          allowDecimal={false}
          hideControls
          onChange={(value) => isWithin(value, { min: 1, max: MAX_FIELDS }) && setMost(value)}
        />
        <Button size="xs" variant="default" disabled={!path} onClick={along}>
          {t("counting.alongLine")}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" role="status">
        {t("counting.fieldsPlaced", { count: placed })}
      </Text>
    </Stack>
  );
}

/** The positions of the selected line, or of the outline that is selected. */
function pathOf({ store }: Annotations, selected: readonly string[]): readonly number[] | null {
  const shape = selected.length === 1 ? store.get(selected[0]!)?.shape : undefined;
  const part = shape?.parts[0];
  return part && part.length >= 4 && shape.kind !== "ellipse" ? part : null;
}

interface SizeProps {
  readonly size: FieldSize;
  readonly onChange: (size: FieldSize) => void;
}

function SizeFields({ size, onChange }: SizeProps) {
  return (
    <>
      <NativeSelect
        size="xs"
        label={t("counting.fieldSize")}
        value={size.kind}
        data={[
          { value: "objective", label: t("counting.objective") },
          { value: "area", label: t("counting.area") },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange(
            value === "area"
              ? { kind: "area", mm2: Number(areaMm2(size).toPrecision(4)) }
              : { kind: "objective", magnification: 40, fieldNumber: 22 },
          )
        }
      />
      {size.kind === "objective" ? (
        <Group gap={6} grow>
          <Field
            label={t("counting.magnification")}
            value={size.magnification}
            bounds={BOUNDS.magnification}
            onChange={(magnification) => onChange({ ...size, magnification })}
          />
          <Field
            label={t("counting.fieldNumber")}
            value={size.fieldNumber}
            bounds={BOUNDS.fieldNumber}
            onChange={(fieldNumber) => onChange({ ...size, fieldNumber })}
          />
        </Group>
      ) : (
        <Field
          label={t("counting.areaMm2")}
          value={size.mm2}
          bounds={BOUNDS.mm2}
          onChange={(mm2) => onChange({ ...size, mm2 })}
        />
      )}
      <Text size="xs" data-testid="field-area">
        {sizeLabel(size)}
      </Text>
    </>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: number;
  readonly bounds: { readonly min: number; readonly max: number };
  readonly onChange: (value: number) => void;
}

function Field({ label, value, bounds, onChange }: FieldProps) {
  return (
    <NumberInput
      size="xs"
      label={label}
      value={value}
      min={bounds.min}
      max={bounds.max}
      decimalScale={4}
      hideControls
      onChange={(typed) => isWithin(typed, bounds) && onChange(typed)}
    />
  );
}
