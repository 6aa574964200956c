import { Button, Group, Paper, Select, Text, Title } from "@mantine/core";
import { useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { ownName } from "@wavescope/core/i18n/names";
import type { ExperimentResult } from "@wavescope/core/wire/catalog/plannerClient";
import { saveText } from "../../ui/saveFile";
import { percentLabel } from "../figures";
import { ExperimentPlot } from "./ExperimentPlot";
import { Effects, ExperimentTable } from "./ExperimentTable";
import { metricLabel, metricsOf } from "./series";

interface Props {
  readonly result: ExperimentResult;
  readonly finished: number;
  readonly trials: number;
}

/** The figures so far: a plot and a table of one metric. */
export function ExperimentResults({ result, finished, trials }: Props) {
  const metrics = metricsOf(result);
  const [chosen, setChosen] = useState(metrics[0]!);
  const metric = metrics.includes(chosen) ? chosen : metrics[0]!;
  return (
    <Paper withBorder p="md" component="section" data-testid="experiment-result">
      <Group justify="space-between" align="flex-end" gap="sm" mb="sm">
        <div>
          <Title order={2} size="h5">
            {ownName(result.title)}
          </Title>
          <Text size="xs" c="dimmed" aria-live="polite">
            {t("planner.finished", { finished: String(finished), trials: String(trials) })},{" "}
            {t("planner.interval", { percent: percentLabel(result.confidence) })}
          </Text>
        </div>
        <Group gap="sm" align="flex-end">
          <Select
            label={t("planner.metric")}
            size="xs"
            data={metrics.map((value) => ({ value, label: metricLabel(value) }))}
            value={metric}
            onChange={(value) => value !== null && setChosen(value)}
            allowDeselect={false}
          />
          <Button
            size="xs"
            variant="default"
            onClick={() => saveText("experiment.json", JSON.stringify(result, null, 1), "application/json")}
          >
            {t("planner.saveResult")}
          </Button>
        </Group>
      </Group>
      <ExperimentPlot result={result} metric={metric} />
      <ExperimentTable result={result} metric={metric} />
      <Effects result={result} metric={metric} />
    </Paper>
  );
}
