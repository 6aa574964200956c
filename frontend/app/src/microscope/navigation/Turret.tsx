import { UnstyledButton } from "@mantine/core";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { smallestScale } from "@wavescope/viewer/navigation/moves";
import { type Objective, magnificationLabel, objectiveAt } from "@wavescope/viewer/navigation/objectives";
import type { PartProps } from "../parts";
import { objectivesOf, turnTurret } from "./objective";
import styles from "./navigation.module.css";
import { Hint } from "../../ui/later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

/** The objectives, weakest first; the current one is marked. */
export function Turret({ microscope }: PartProps) {
  const current = useStore(
    microscope.state,
    (state) => objectiveAt(objectivesOf(microscope), state.scale)?.magnification,
  );
  const objectives = objectivesOf(microscope);
  const reached = useStore(microscope.state, () =>
    objectives.findIndex(({ scale }) => scale >= smallestScale(microscope) * 0.99),
  );
  if (objectives.length === 0) return null;
  return (
    <div className={styles.turret} role="group" aria-label={t("microscope.objectives")} data-testid="turret">
      {objectives.map((objective, i) => (
        <ObjectiveButton
          key={objective.magnification}
          microscope={microscope}
          objective={objective}
          pressed={objective.magnification === current}
          weak={i < reached}
        />
      ))}
    </div>
  );
}

interface ObjectiveButtonProps {
  readonly microscope: Microscope;
  readonly objective: Objective;
  readonly pressed: boolean;
  /** It would show the slide smaller than it may become in this window. */
  readonly weak: boolean;
}

function ObjectiveButton({ microscope, objective, pressed, weak }: ObjectiveButtonProps) {
  const { magnification, beyond } = objective;
  const text = weak ? "microscope.objectiveTooWeak" : beyond ? "microscope.objectiveDigital" : "microscope.objective";
  return (
    <Hint label={t(text, { magnification })} commands={[`zoom.objective-${magnification}`]} position="top">
      <UnstyledButton
        className={styles.objective}
        onClick={() => !weak && turnTurret(microscope, objective)}
        aria-disabled={weak}
        aria-pressed={pressed}
        aria-label={t("microscope.objective", { magnification })}
        data-beyond={beyond}
      >
        {magnificationLabel(magnification)}
      </UnstyledButton>
    </Hint>
  );
}
