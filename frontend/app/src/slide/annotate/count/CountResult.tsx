import { Button, CopyButton, Checkbox, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useDeferredValue } from "react";
import { useStore } from "zustand";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { areaMm2 } from "@wavescope/viewer/annotate/count/fields";
import { per, total } from "@wavescope/viewer/annotate/count/totals";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { useAnnotationState } from "../../../microscope/useAnnotations";
import { useDrawn } from "../../../microscope/useDrawn";
import { saveText } from "../../../ui/saveText";
import styles from "../annotate.module.css";
import { change, counting } from "./counting";
import { SCOPE_NAMES, regionsOf } from "./regions";
import { figure, indexLabel, resultLine, resultTable } from "./result";
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
  const { classes, scope, size } = setup;
  const regions = regionsOf(annotations, scope);
  const sums = useDeferredValue(total(store.index, classes, regions, manifest.mpp));
  const { counts, mm2, overlapping } = sums;
  const columns = mm2 === null ? [] : ([1, areaMm2(size), 10 * areaMm2(size)] as const);
  const heads = mm2 === null ? [] : [t("counting.perMm2"), t("counting.perField"), t("counting.perTen")];
  const index = setup.index ? indexLabel(sums) : null;
  return (
    <>
      <table className={styles.result} data-testid="count-result">
        <thead>
          <tr>
            {[t("counting.class"), t("counting.n"), ...heads].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {classes.map((name, i) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{counts[i]}</td>
              {columns.map((area, column) => {
                const density = per(area, counts[i]!, mm2);
                return <td key={heads[column]}>{density === null ? "–" : figure(density)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <div role="status" data-testid="count-summary">
        {index && (
          <Text size="sm" fw={600}>
            {index}
          </Text>
        )}
        {regions && mm2 !== null && (
          <Text size="sm">
            {scope === "fields" && `${t("counting.fieldsPlaced", { count: regions.length })}. `}
            {t("counting.sum", { area: figure(mm2) })}
          </Text>
        )}
        {regions?.length === 0 && scope === "selection" && <Text size="sm">{t("counting.nothingIn")}</Text>}
        {overlapping && <Text size="sm">{t("counting.overlapping")}</Text>}
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
      </Group>
    </>
  );
}
