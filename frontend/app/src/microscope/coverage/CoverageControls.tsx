import { ActionIcon } from "@mantine/core";
import { IconChecks, IconEraser, IconPlayerSkipBack, IconPlayerSkipForward, IconUsers } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { coverageOf } from "@wavescope/viewer/navigation/coverage";
import { AccountSwitch } from "./AccountSwitch";
import { clearCoverage, stepThroughTissue, toggleReviewed } from "./coverage";
import { percentLabel } from "../../ui/format";
import { useCovered } from "./covered";
import { maySeePeople, peopleShown, usePeopleShown } from "./people";
import { PeopleSummary } from "./PeopleSummary";
import styles from "./coverage.module.css";
import { Hint } from "../../ui/later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly microscope: Microscope;
}

/** The way through the tissue, and the parts that were seen. */
export function CoverageControls({ microscope }: Props) {
  const empty = useStore(coverageOf(microscope), ({ views }) => views.length === 0);
  const reviewed = useStore(coverageOf(microscope), (coverage) => coverage.reviewed !== null);
  const together = usePeopleShown(microscope);
  return (
    <>
      <Control label={t("coverage.next")} command="coverage.next" onClick={() => void stepThroughTissue(microscope, 1)}>
        <IconPlayerSkipForward size={14} />
      </Control>
      <Control
        label={t("coverage.previous")}
        command="coverage.previous"
        onClick={() => void stepThroughTissue(microscope, -1)}
      >
        <IconPlayerSkipBack size={14} />
      </Control>
      <Control label={t("coverage.clear")} disabled={empty} onClick={() => clearCoverage(microscope)}>
        <IconEraser size={14} />
      </Control>
      <Control
        label={t("coverage.isReviewed")}
        command="coverage.reviewed"
        pressed={reviewed}
        onClick={() => toggleReviewed(microscope)}
      >
        <IconChecks size={14} />
      </Control>
      {maySeePeople(microscope) && (
        <Control
          label={t("coverage.people")}
          pressed={together}
          onClick={() => peopleShown.setState({ shown: !together })}
        >
          <IconUsers size={14} />
        </Control>
      )}
      <AccountSwitch microscope={microscope} />
      {together ? <PeopleSummary microscope={microscope} /> : <Parts microscope={microscope} />}
    </>
  );
}

interface ControlProps {
  readonly label: string;
  readonly command?: string;
  readonly disabled?: boolean;
  /** Of a switch: whether it is on. */
  readonly pressed?: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

function Control({ label, command, disabled = false, pressed, onClick, children }: ControlProps) {
  return (
    <Hint label={label} commands={command ? [command] : []} position="left">
      <ActionIcon
        variant={pressed ? "filled" : "default"}
        size="sm"
        disabled={disabled}
        onClick={onClick}
        aria-label={label}
        aria-pressed={pressed}
      >
        {children}
      </ActionIcon>
    </Hint>
  );
}

/** How much of the tissue was seen, at each objective or a stronger one. */
function Parts({ microscope }: Props) {
  const covered = useCovered(microscope);
  if (!covered) return null;
  return (
    <ul
      className={styles.parts}
      aria-label={t("coverage.seen")}
      title={t("coverage.seen")}
      data-testid="coverage-parts"
    >
      {covered.parts.map(({ label, part }, i) => (
        <li key={label} data-current={i === covered.objective}>
          <span>{label}</span> <span>{percentLabel(part)}</span>
        </li>
      ))}
    </ul>
  );
}
