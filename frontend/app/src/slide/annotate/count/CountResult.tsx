import { Button, CopyButton, Checkbox, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useDeferredValue } from "react";
import { useStore } from "zustand";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { total } from "@wavescope/viewer/annotate/count/totals";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { useAnnotationState } from "../../../microscope/useAnnotations";
import { useDrawn } from "../../../microscope/useDrawn";
import { notify } from "../../../ui/notice";
import { saveText } from "../../../ui/saveFile";
import styles from "../annotate.module.css";
import { change, counting } from "./counting";
import { SCOPE_NAMES, regionsOf } from "./regions";
import { reportOf, resultLine, resultTable } from "./result";
import { SCOPES, type Scope } from "./setup";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly annotations: Annotations;
  readonly manifest: Manifest;
}

/** Where points are counted, and how many there are. */
export function CountResult(props: Props) {
  const { annotations } = props;
  const { scope, index } = useStore(counting, (state) => state.current);
  return (
    <Stack gap={6} component="section" aria-label={t("counting.result")}>
      <NativeSelect
        size="xs"
        label={t("counting.scope")}
        value={scope}
        data={SCOPES.map((value) => ({ value, label: SCOPE_NAMES[value] }))}
        onChange={({ currentTarget: { value } }) => change(annotations, { scope: value as Scope })}
      />
      {scope === "view" ? <ResultOfView {...props} /> : <Result {...props} />}
      <Checkbox
        size="xs"
        label={t("counting.indexOfTwo")}
        checked={index}
        onChange={() => change(annotations, { index: !index })}
      />
    </Stack>
  );
}

function ResultOfView(props: Props) {
  useDrawn(props.annotations.layer.microscope);
  return <Result {...props} />;
}

function Result({ annotations, manifest }: Props) {
  const { store } = annotations;
  const setup = useStore(counting, (state) => state.current);
  useAnnotationState(annotations, (state) => state.version);
  useAnnotationState(annotations, (state) => state.selected);
  const { classes, scope } = setup;
  const regions = regionsOf(annotations, scope);
  const sums = useDeferredValue(total(store.index, classes, regions, manifest.mpp));
  const report = reportOf(setup, regions?.length ?? null, sums);
  const { microscope } = annotations.layer;
  const caption = t("counting.reportCaption", { preset: setup.name, scope: SCOPE_NAMES[scope] });
  const addToPage = (): void =>
    void import("../../../views/adding").then(
      ({ addCount }) => addCount(microscope, { caption, ...report }),
      () => notify(t("ui.partNotLoaded")),
    );
  return (
    <>
      <table className={styles.result} data-testid="count-result">
        <thead>
          <tr>
            {report.head.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, i) => (
                <td key={report.head[i + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div role="status" data-testid="count-summary">
        {report.notes.map((note) => (
          <Text key={note} size="sm">
            {note}
          </Text>
        ))}
        {regions?.length === 0 && scope === "selection" && <Text size="sm">{t("counting.nothingIn")}</Text>}
        {!manifest.mpp && <Text size="sm">{t("counting.noArea")}</Text>}
      </div>
      <Group gap={6}>
        <CopyButton value={resultLine(setup, SCOPE_NAMES[scope], sums)}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? t("common.copied") : t("counting.copyResult")}
            </Button>
          )}
        </CopyButton>
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            saveText(`${manifest.title}.counts.csv`, resultTable(setup, SCOPE_NAMES[scope], sums), "text/csv")
          }
        >
          {t("counting.csv")}
        </Button>
        <Button size="xs" variant="default" onClick={addToPage}>
          {t("counting.addToPage")}
        </Button>
      </Group>
    </>
  );
}
