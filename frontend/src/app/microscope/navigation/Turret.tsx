import { UnstyledButton } from "@mantine/core";
import { useStore } from "zustand";
import type { Microscope } from "../../../viewer/core/microscope";
import { smallestScale } from "../../../viewer/navigation/moves";
import { type Objective, objectiveAt } from "../../../viewer/navigation/objectives";
import type { PartProps } from "../parts";
import { objectivesOf, turnTurret } from "./objective";
import styles from "./navigation.module.css";
import { Hint } from "../../ui/later/Hint";
import { t } from "../../../i18n/i18n";

/** The objectives, weakest first; the current one is marked. */
export function Turret({ scope }: PartProps) {
  const current = useStore(scope.state, (state) => objectiveAt(objectivesOf(scope), state.scale)?.magnification);
  const objectives = objectivesOf(scope);
  const reached = useStore(scope.state, () =>
    objectives.findIndex(({ scale }) => scale >= smallestScale(scope) * 0.99),
  );
  if (objectives.length === 0) return null;
  return (
    <div className={styles.turret} role="group" aria-label={t("microscope.objectives")} data-testid="turret">
      {objectives.map((objective, i) => (
        <ObjectiveButton
          key={objective.magnification}
          scope={scope}
          objective={objective}
          number={i + 2}
          pressed={objective.magnification === current}
          weak={i < reached}
        />
      ))}
    </div>
  );
}

interface ObjectiveButtonProps {
  readonly scope: Microscope;
  readonly objective: Objective;
  readonly number: number;
  readonly pressed: boolean;
  /** It would show the slide smaller than it may become in this window. */
  readonly weak: boolean;
}

function ObjectiveButton({ scope, objective, number, pressed, weak }: ObjectiveButtonProps) {
  const { magnification, beyond } = objective;
  const text = weak
    ? "microscope.objectiveTooWeak"
    : beyond
      ? "microscope.objectiveDigital"
      : "microscope.objectiveWithKey";
  return (
    <Hint label={t(text, { magnification, number })} position="top">
      <UnstyledButton
        className={styles.objective}
        onClick={() => !weak && turnTurret(scope, objective)}
        aria-disabled={weak}
        aria-pressed={pressed}
        aria-label={t("microscope.objective", { magnification })}
        data-beyond={beyond}
      >
        {magnification}×
      </UnstyledButton>
    </Hint>
  );
}
