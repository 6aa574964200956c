import { Alert, Button, Group, Paper, Progress, SegmentedControl, Text, Title } from "@mantine/core";
import { useDeferredValue, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import type { PlannerNumbers } from "@wavescope/core/wire/catalog/plannerClient";
import { useMay } from "../accounts/account";
import { Curve } from "./Curve";
import { type Over, curveOf, presentOf, simulatedValues, valuesOf } from "./curves";
import type { Settings } from "./fields";
import { countLabel, percentLabel, secondsLabel } from "./figures";
import { useSimulation } from "./useSimulation";
import styles from "./planner.module.css";

const AXES = { clients: "planner.overClients", nodes: "planner.overNodes", edge_gb: "planner.overEdge" } as const;

interface Props {
  readonly settings: Settings;
  readonly goodFor: number;
  readonly numbers: PlannerNumbers;
}

/** The curve of the answers, and a simulation drawn over it. */
export function Answers({ settings, goodFor, numbers }: Props) {
  const [over, setOver] = useState<Over>("clients");
  const { given, bought, goalSeconds, goal95Seconds } = settings;
  const drawn = useDeferredValue(settings); // the curve may come later; a simulation is of what was typed last
  const simulation = useSimulation(JSON.stringify([given, bought, over]));
  const allowed = useMay("instructor");
  const values = valuesOf(over, given, bought, goodFor);
  const points = curveOf(over, valuesOf(over, drawn.given, drawn.bought, goodFor), drawn.given, drawn.bought);
  const now = presentOf(over, given, bought);
  const at = simulatedValues(values, now, over === "clients" ? numbers.max_clients : Infinity);
  const possible = numbers.simulation && allowed && at.length > 0 && given.clients <= numbers.max_clients;
  const axis = over === "edge_gb" ? `${t(AXES[over])}, GB` : t(AXES[over]);
  const present = points.find((point) => point.at === now);
  const label = `${t("planner.curve")}: ${axis} ${countLabel(now)}, ${secondsLabel(present?.mean ?? 0)}`;
  const { progress, failure } = simulation;
  return (
    <Paper component="section" withBorder p="md" className={styles.wide}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} size="h5">
          {t("planner.curve")}
        </Title>
        <SegmentedControl
          size="xs"
          value={over}
          onChange={(value) => setOver(value as Over)}
          aria-label={t("planner.over")}
          data={Object.entries(AXES).map(([value, name]) => ({ value, label: t(name) }))}
        />
      </Group>
      <Curve
        label={label}
        axis={axis}
        points={points}
        simulated={simulation.points}
        goal={goalSeconds}
        goal95={goal95Seconds}
        now={now}
        log={over === "clients"}
      />
      <Group mt="sm" gap="sm" mih={36}>
        {progress === null ? (
          <Button
            size="xs"
            disabled={!possible}
            onClick={() => void simulation.start({ situation: given, equipment: bought, over, at, seed: 1998 })}
          >
            {t("planner.simulate")}
          </Button>
        ) : (
          <>
            <Button size="xs" variant="default" onClick={simulation.cancel}>
              {t("planner.cancel")}
            </Button>
            <Progress
              flex={1}
              miw={80}
              value={progress * 100}
              aria-label={t("planner.progress", { percent: percentLabel(progress) })}
            />
          </>
        )}
        <Text size="xs" c="dimmed" flex={1} miw={200}>
          {reason(numbers, allowed, given.clients)}
        </Text>
      </Group>
      {failure && (
        <Alert color="red" mt="sm" role="alert">
          {failure}
        </Alert>
      )}
      <ValuesTable axis={axis} points={points} />
    </Paper>
  );
}

function reason(numbers: PlannerNumbers, allowed: boolean, clients: number): string {
  if (!numbers.simulation) return t("planner.noPackage");
  if (!allowed) return t("planner.instructors");
  return clients > numbers.max_clients ? t("planner.tooMany") : t("planner.simulateHint");
}

function ValuesTable({ axis, points }: { readonly axis: string; readonly points: ReturnType<typeof curveOf> }) {
  const few = points.filter((_, i) => i % Math.ceil(points.length / 16) === 0);
  return (
    <details className={styles.group}>
      <summary>
        <Text span size="xs">
          {t("planner.table")}
        </Text>
      </summary>
      <table style={{ borderSpacing: "16px 2px" }}>
        <thead>
          <tr>
            {[axis, t("planner.computed"), t("planner.computed95")].map((name) => (
              <th key={name} scope="col" align="right">
                <Text size="xs">{name}</Text>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {few.map(({ at, mean, slow }) => (
            <tr key={at}>
              {[countLabel(at), secondsLabel(mean), secondsLabel(slow)].map((value, i) => (
                <td key={i} className={styles.value}>
                  <Text size="xs">{value}</Text>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
