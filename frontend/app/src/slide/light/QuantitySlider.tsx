import { ActionIcon, Group, Slider, Text } from "@mantine/core";
import { IconRestore } from "@tabler/icons-react";
import { type Adjustments, type Quantity, plain } from "@wavescope/viewer/light/adjustments";
import { fromSlider, toSlider, labelOf } from "./scales";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly quantity: Quantity;
  readonly adjustments: Adjustments;
  readonly onChange: (part: Partial<Adjustments>) => void;
}

const NAMES: Readonly<Record<Quantity, string>> = {
  brightness: t("light.brightness"),
  contrast: t("light.contrast"),
  gamma: t("light.gamma"),
  saturation: t("light.saturation"),
};

/** One quantity; its middle leaves the picture as it is. */
export function QuantitySlider({ quantity, adjustments, onChange }: Props) {
  const name = NAMES[quantity];
  const value = adjustments[quantity];
  const valueLabel = labelOf(quantity, value);
  const reset = (): void => onChange({ [quantity]: plain[quantity] });
  return (
    <div>
      <Group justify="space-between" gap={4} h={28} wrap="nowrap">
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Group gap={2} wrap="nowrap">
          <Text size="sm" c="dimmed" data-testid={`${quantity}-value`}>
            {valueLabel}
          </Text>
          <ActionIcon
            variant="transparent"
            bg="transparent"
            color="gray"
            disabled={value === plain[quantity]}
            onClick={reset}
            aria-label={t("light.resetOne", { name: name.toLowerCase() })}
          >
            <IconRestore size={16} />
          </ActionIcon>
        </Group>
      </Group>
      <Slider
        min={-100}
        max={100}
        step={1}
        startPointValue={0}
        label={null}
        value={toSlider(quantity, value)}
        onChange={(position) => onChange({ [quantity]: fromSlider(quantity, position) })}
        onDoubleClick={reset}
        thumbLabel={name}
        thumbValueText={valueLabel}
      />
    </div>
  );
}
