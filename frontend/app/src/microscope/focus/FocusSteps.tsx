import { ActionIcon, Text } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import styles from "../controls.module.css";
import { ExtendedButton, PlayButtons } from "./FocusMotion";
import { planeLabel } from "./focusing";
import { Hint } from "../../ui/later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

/** One stop per focal plane. */
export function FocusSteps({ microscope }: { readonly microscope: Microscope }) {
  const plane = useStore(microscope.state, (state) => state.plane);
  const { planes } = microscope.manifest;
  const label = planeLabel(plane, microscope.manifest);
  return (
    <div className={styles.focus} role="group" aria-label={t("microscope.focus")}>
      <Step
        name={t("microscope.nextPlane")}
        disabled={plane >= planes - 1}
        onClick={() => microscope.setPlane(plane + 1)}
      >
        <IconChevronUp size={16} />
      </Step>
      <input
        type="range"
        className={styles.focusRange}
        min={0}
        max={planes - 1}
        step={1}
        value={plane}
        onChange={(event) => microscope.setPlane(Number(event.currentTarget.value))}
        aria-label={t("microscope.focalPlane")}
        aria-orientation="vertical"
        aria-valuetext={label}
        data-testid="focus-slider"
      />
      <Step name={t("microscope.previousPlane")} disabled={plane <= 0} onClick={() => microscope.setPlane(plane - 1)}>
        <IconChevronDown size={16} />
      </Step>
      <Text size="xs" className={styles.focusText} title={label}>
        {plane + 1}/{planes}
      </Text>
      <PlayButtons microscope={microscope} />
      <ExtendedButton microscope={microscope} />
    </div>
  );
}

interface StepProps {
  readonly name: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

function Step({ name, disabled, onClick, children }: StepProps) {
  return (
    <Hint label={name} position="right">
      <ActionIcon variant="subtle" color="gray" disabled={disabled} onClick={onClick} aria-label={name}>
        {children}
      </ActionIcon>
    </Hint>
  );
}
