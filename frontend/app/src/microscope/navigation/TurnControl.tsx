import { ActionIcon, Button, Group, Popover, Slider, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFlipHorizontal, IconRotate2, IconRotateClockwise2 } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { mirror, turnBy, turnTo } from "@wavescope/viewer/navigation/moves";
import styles from "./navigation.module.css";
import { KeyTooltip } from "../../ui/keys/KeyTooltip";
import { NumberInput } from "../../ui/NumberInput";
import { t } from "@wavescope/core/i18n/i18n";

/** Turning the slide to any angle, and mirroring it. */
export function TurnControl({ microscope }: { readonly microscope: Microscope }) {
  const rotation = useStore(microscope.state, (state) => (Math.round(10 * state.rotation) / 10) % 360);
  const flip = useStore(microscope.state, (state) => state.flip);
  const [opened, { set, toggle }] = useDisclosure(false);
  const signed = rotation > 180 ? rotation - 360 : rotation;
  return (
    <div className={styles.turn} role="group" aria-label={t("microscope.rotation")}>
      <Popover
        opened={opened}
        onChange={set}
        position="left"
        middlewares={{ flip: { fallbackPlacements: ["right", "bottom-end"] }, shift: { padding: 8 } }}
        withArrow
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <KeyTooltip
            label={t("microscope.rotate")}
            commands={["viewer.turn-right", "viewer.turn-left"]}
            position="left"
            disabled={opened}
          >
            <ActionIcon
              variant={rotation === 0 ? "default" : "filled"}
              size="lg"
              onClick={toggle}
              aria-label={t("microscope.rotationOf", { degrees: signed })}
              data-testid="rotation"
            >
              {rotation === 0 ? (
                <IconRotateClockwise2 size={18} />
              ) : (
                <span className={styles.degrees}>{Math.round(signed)}°</span>
              )}
            </ActionIcon>
          </KeyTooltip>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="sm" w={290}>
            <Group gap="xs" wrap="nowrap">
              <ActionIcon
                variant="default"
                size="lg"
                onClick={() => turnBy(microscope, -90)}
                aria-label={t("microscope.rotateLeftBy90")}
              >
                <IconRotate2 size={18} />
              </ActionIcon>
              <NumberInput
                aria-label={t("microscope.rotationInDegrees")}
                value={signed}
                onChange={(degrees) => typeof degrees === "number" && turnTo(microscope, degrees, true)}
                suffix="°"
                decimalScale={1}
                clampBehavior="none"
                hideControls
              />
              <ActionIcon
                variant="default"
                size="lg"
                onClick={() => turnBy(microscope, 90)}
                aria-label={t("microscope.rotateRightBy90")}
              >
                <IconRotateClockwise2 size={18} />
              </ActionIcon>
              <Button
                variant="default"
                flex="none"
                px="sm"
                aria-label={t("microscope.resetRotation")}
                onClick={() => turnTo(microscope, 0)}
                disabled={rotation === 0}
              >
                {t("microscope.reset")}
              </Button>
            </Group>
            <Slider
              min={-180}
              max={180}
              value={signed}
              onChange={(degrees) => turnTo(microscope, degrees, true)}
              marks={[{ value: -90 }, { value: 0 }, { value: 90 }]}
              label={(degrees) => `${degrees}°`}
              thumbLabel={t("microscope.rotationInDegrees")}
            />
          </Stack>
        </Popover.Dropdown>
      </Popover>
      <KeyTooltip label={t("microscope.mirror")} commands={["viewer.mirror"]} position="left">
        <ActionIcon
          variant={flip ? "filled" : "default"}
          size="lg"
          onClick={() => mirror(microscope)}
          aria-label={t("microscope.mirror")}
          aria-pressed={flip}
        >
          <IconFlipHorizontal size={18} />
        </ActionIcon>
      </KeyTooltip>
    </div>
  );
}
