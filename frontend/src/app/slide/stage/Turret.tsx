import { Tooltip, UnstyledButton } from "@mantine/core";
import { useStore } from "zustand";
import type { Microscope } from "../../../viewer/microscope";
import { type Objective, objectiveAt } from "../../../viewer/objectives";
import type { PartProps } from "../parts";
import { objectivesOf, turnTurret } from "./objective";
import styles from "./stage.module.css";

/** The objectives, weakest first; the one in place is marked. */
export function Turret({ scope }: PartProps) {
  const current = useStore(scope.state, (state) => objectiveAt(objectivesOf(scope), state.scale)?.magnification);
  const objectives = objectivesOf(scope);
  if (objectives.length === 0) return null;
  return (
    <div className={styles.turret} role="group" aria-label="Objectives" data-testid="turret">
      {objectives.map((one, i) => (
        <Lens key={one.magnification} scope={scope} objective={one} number={i + 2} pressed={one.magnification === current} />
      ))}
    </div>
  );
}

interface LensProps {
  readonly scope: Microscope;
  readonly objective: Objective;
  readonly number: number;
  readonly pressed: boolean;
}

function Lens({ scope, objective, number, pressed }: LensProps) {
  const { magnification, beyond } = objective;
  return (
    <Tooltip label={`Objective ${magnification}× (${number})${beyond ? ", enlarged beyond 1:1" : ""}`} position="top">
      <UnstyledButton
        className={styles.lens}
        onClick={() => turnTurret(scope, objective)}
        aria-pressed={pressed}
        aria-label={`Objective ${magnification}×`}
        data-beyond={beyond}
      >
        {magnification}×
      </UnstyledButton>
    </Tooltip>
  );
}
