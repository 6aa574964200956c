import { Alert, Button, Center, Group, Loader, Paper, Progress, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { ownName } from "@wavescope/core/i18n/names";
import {
  type ExperimentList,
  type StoredExperiment,
  readExperiments,
} from "@wavescope/core/wire/catalog/plannerClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { useMay } from "../../accounts/account";
import { ErrorPage } from "../../ui/ErrorPage";
import { percentLabel } from "../figures";
import styles from "../planner.module.css";
import { Description } from "./Description";
import { ExperimentResults } from "./ExperimentResults";
import { FileChooser } from "../../ui/FileChooser";
import { useExperiment } from "./useExperiment";
import { NumberInput } from "../../ui/NumberInput";

/** Stored experiments, and the user's own file: chosen, described, run, shown (SI29). */
export function ExperimentsPanel({ possible }: { readonly possible: boolean }) {
  const allowed = useMay("instructor");
  const { data, error } = useQuery({
    queryKey: ["planner", "experiments"],
    queryFn: ({ signal }) => readExperiments(signal),
    enabled: allowed && possible,
  });
  if (!possible) return <Alert color="yellow">{t("planner.noPackage")}</Alert>;
  if (!allowed) return <Alert color="yellow">{t("planner.instructors")}</Alert>;
  if (data) return <Experiments list={data} />;
  return (
    <Center mih="40dvh">
      {error ? (
        <ErrorPage title={t("planner.experiments")} reason={explain(error)} kind="waiting" />
      ) : (
        <Loader aria-label={t("planner.loadingExperiments")} />
      )}
    </Center>
  );
}

const TRIALS = 5;
const OWN_FILE = "\n"; // no name of a stored experiment

interface OwnFile {
  readonly name: string;
  readonly text: string;
}

export function Experiments({ list }: { readonly list: ExperimentList }) {
  const { experiments } = list;
  const [chosen, setChosen] = useState(experiments.find(({ problem }) => problem === null)?.name ?? "");
  const [file, setFile] = useState<OwnFile | null>(null);
  const [trials, setTrials] = useState(TRIALS);
  const own = chosen === OWN_FILE && file !== null;
  const stored = experiments.find(({ name }) => name === chosen);
  const running = useExperiment(JSON.stringify(own ? file : chosen));
  const { progress } = running;
  const choices = [
    { group: t("planner.yourFile"), items: file ? [{ value: OWN_FILE, label: file.name }] : [] },
    { group: t("planner.ownExperiments"), items: experiments.filter((one) => one.own).map(choiceOf) },
    { group: t("planner.papersExperiments"), items: experiments.filter((one) => !one.own).map(choiceOf) },
  ];
  const blocked = !own && (!stored || stored.problem !== null || stored.runs > list.max_runs);
  return (
    <div className={styles.layout}>
      <Paper withBorder p="md" component="section" aria-label={t("planner.experiment")}>
        <Stack gap="sm">
          <Select
            label={t("planner.experiment")}
            data={choices.filter(({ items }) => items.length > 0)}
            value={chosen}
            onChange={(value) => value !== null && setChosen(value)}
            allowDeselect={false}
            comboboxProps={{ withinPortal: true }}
            styles={{ input: { textOverflow: "ellipsis" } }}
          />
          <FileChooser
            accept=".toml"
            onChoose={(given) => {
              void given
                .slice(0, list.max_text + 1)
                .text()
                .then((text) => {
                  setFile({ name: given.name, text });
                  setChosen(OWN_FILE);
                });
            }}
          >
            {(props) => (
              <Button {...props} variant="default" size="xs" title={t("planner.fileHint")}>
                {t("planner.openFile")}
              </Button>
            )}
          </FileChooser>
          {own ? (
            <Text size="sm">{t("planner.ownHint")}</Text>
          ) : (
            stored && <Description experiment={stored} most={list.max_runs} />
          )}
          <NumberInput
            label={t("planner.trials")}
            value={trials}
            min={1}
            max={list.max_trials}
            allowDecimal={false}
            clampBehavior="strict"
            onChange={(value) => typeof value === "number" && value >= 1 && setTrials(value)}
          />
          {progress === null ? (
            <Button
              disabled={blocked}
              onClick={() => void running.start(own ? { text: file.text, trials } : { name: chosen, trials })}
            >
              {t("planner.run")}
            </Button>
          ) : (
            <Group gap="sm" wrap="nowrap">
              <Button variant="default" onClick={running.cancel}>
                {t("planner.cancel")}
              </Button>
              <Progress
                flex={1}
                value={progress * 100}
                aria-label={t("planner.running", { percent: percentLabel(progress) })}
              />
            </Group>
          )}
          <Text size="xs" c="dimmed">
            {t("planner.runHint", { seconds: "10 min" })}
          </Text>
        </Stack>
      </Paper>
      <div>
        {running.failure && (
          <Alert color="red" mb="sm" role="alert" title={t("planner.runFailed")}>
            {running.failure}
          </Alert>
        )}
        {running.result ? (
          <ExperimentResults result={running.result} finished={running.finished} trials={running.trials} />
        ) : (
          !running.failure && (
            <Paper withBorder p="md">
              <Text size="sm" c="dimmed">
                {progress === null ? t("planner.noFigures") : t("planner.waiting")}
              </Text>
            </Paper>
          )
        )}
      </div>
    </div>
  );
}

const choiceOf = ({ name, title }: StoredExperiment) => ({ value: name, label: ownName(title) || name });
