import { Alert, Text, Title } from "@mantine/core";
import { MARK } from "@wavescope/core/geometry/figures";
import { t } from "@wavescope/core/i18n/i18n";
import type { StoredExperiment } from "@wavescope/core/wire/catalog/plannerClient";
import styles from "../planner.module.css";
import { levelLabel, metricLabel } from "./series";

/** What a stored experiment says of itself. `most`: runs that can run here. */
export function Description({ experiment, most }: { readonly experiment: StoredExperiment; readonly most: number }) {
  const { description, model, runs, trials, factors, problem } = experiment;
  if (problem !== null) return <Alert color="red">{t("planner.damaged", { reason: problem })}</Alert>;
  return (
    <div data-testid="description">
      <Text size="sm">{description}</Text>
      <Title order={2} size="h6" mt="sm">
        {t("planner.factors")}
      </Title>
      <ul className={styles.factors}>
        {Object.entries(factors).map(([name, levels]) => (
          <li key={name}>
            {metricLabel(name)}: {levels.map(levelLabel).join(MARK === "," ? "; " : ", ")}
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        {t("planner.model", { model })}, {t("planner.runs", { runs: String(runs) })},{" "}
        {t("planner.fileTrials", { trials: String(trials) })}
      </Text>
      {runs > most && <Alert color="yellow">{t("planner.tooManyRuns")}</Alert>}
    </div>
  );
}
