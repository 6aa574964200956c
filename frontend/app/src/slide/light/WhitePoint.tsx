import { ActionIcon, Button, ColorSwatch, Group, Text } from "@mantine/core";
import { IconColorPicker, IconRestore } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { type Rgb, whiteOf } from "@wavescope/viewer/light/adjustments";
import { lightOf, pickColour } from "@wavescope/viewer/light/light";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly microscope: Microscope;
  readonly white: Rgb | null;
  readonly onChange: (white: Rgb | null) => void;
}

/** Sets the background to white: by a click on it, or by keys from the centre of the view. */
export function WhitePoint({ microscope, white, onChange }: Props) {
  const [tooDark, setTooDark] = useState(false);
  const setWhite = (colour: Rgb | null): void => {
    if (!colour) return;
    const glass = whiteOf(colour);
    setTooDark(glass === null);
    if (glass) onChange(glass);
  };
  const { picking, toggle } = usePicking(microscope, setWhite);
  const { width, height } = microscope.canvas;
  return (
    <div role="group" aria-label={t("light.whitePoint")}>
      <Group justify="space-between" h={28}>
        <Text size="sm" fw={500}>
          {t("light.whitePoint")}
        </Text>
        <Group gap={4} wrap="nowrap">
          {white && (
            <ColorSwatch
              size={18}
              radius="sm"
              color={`rgb(${white.join()})`}
              aria-label={t("light.backgroundWhite", { white: white.join(", ") })}
              role="img"
            />
          )}
          <ActionIcon
            variant="transparent"
            bg="transparent"
            color="gray"
            disabled={!white}
            onClick={() => onChange(null)}
            aria-label={t("light.resetWhitePoint")}
          >
            <IconRestore size={16} />
          </ActionIcon>
        </Group>
      </Group>
      <Group gap={6}>
        <Button
          size="compact-sm"
          variant={picking ? "filled" : "default"}
          leftSection={<IconColorPicker size={15} />}
          aria-pressed={picking}
          onClick={toggle}
        >
          {t("light.pickBackground")}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => setWhite(lightOf(microscope).stored(width / 2, height / 2))}
        >
          {t("light.useCentreView")}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4} role="status">
        {picking ? t("light.pickHint") : tooDark ? t("light.tooDark") : t("light.setsBackgroundWhite")}
      </Text>
    </div>
  );
}

function usePicking(microscope: Microscope, onPick: (colour: Rgb | null) => void) {
  const [picking, setPicking] = useState<AbortController | null>(null);
  const latest = useRef(onPick);
  useEffect(() => {
    latest.current = onPick;
  });
  useEffect(() => {
    if (!picking) return;
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      picking.abort();
    };
    document.addEventListener("keydown", escape, true);
    void pickColour(microscope, picking.signal).then((colour) => {
      latest.current(colour);
      setPicking(null);
    });
    return () => {
      picking.abort();
      document.removeEventListener("keydown", escape, true);
    };
  }, [microscope, picking]);
  return { picking: picking !== null, toggle: () => (picking ? picking.abort() : setPicking(new AbortController())) };
}
