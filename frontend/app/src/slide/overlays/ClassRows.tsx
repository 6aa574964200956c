import { ActionIcon, Group, Stack, Text } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { groupedNumber } from "@wavescope/core/geometry/figures";
import { t } from "@wavescope/core/i18n/i18n";
import type { Style } from "@wavescope/core/overlays/style";
import type { OverlayInfo } from "@wavescope/core/wire/catalog/overlaysClient";
import styles from "../../ui/colour.module.css";

interface Props {
  readonly info: OverlayInfo;
  readonly style: Style;
  readonly onChange: (part: Partial<Style>) => void;
}

/** Classes with their colour, count and eye. */
export function ClassRows({ info, style, onChange }: Props) {
  const toggle = (of: number): void => {
    const hidden = new Set(style.hidden);
    if (!hidden.delete(of)) hidden.add(of);
    onChange({ hidden });
  };
  return (
    <Stack gap={2} role="group" aria-label={t("overlays.classes")}>
      {info.classes.map(({ name, count }, of) => {
        const label = name || t("overlays.unnamedClass");
        const shown = !style.hidden.has(of);
        return (
          <Group key={of} gap={6} wrap="nowrap" data-testid="overlay-class">
            <input
              type="color"
              className={styles.colour}
              aria-label={t("overlays.colourOf", { name: label })}
              value={`#${style.colors[of]!.toLowerCase()}`}
              disabled={style.byScore}
              onChange={(event) => {
                const color = event.currentTarget.value.slice(1).toUpperCase();
                onChange({ colors: style.colors.map((one, i) => (i === of ? color : one)) });
              }}
            />
            <Text size="sm" truncate flex={1}>
              {label}
            </Text>
            <Text size="xs" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }}>
              {groupedNumber(count)}
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t("overlays.showClass", { name: label })}
              aria-pressed={shown}
              onClick={() => toggle(of)}
            >
              {shown ? <IconEye size={15} /> : <IconEyeOff size={15} />}
            </ActionIcon>
          </Group>
        );
      })}
    </Stack>
  );
}
