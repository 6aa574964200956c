import { decimal } from "@wavescope/core/geometry/figures";
import { Text, Title } from "@mantine/core";
import { t } from "@wavescope/core/i18n/i18n";
import type { ExperimentResult, Published } from "@wavescope/core/wire/catalog/plannerClient";
import { percentLabel } from "../figures";
import styles from "../planner.module.css";
import { figureLabel, levelLabel, metricLabel } from "./series";

interface Props {
  readonly result: ExperimentResult;
  readonly metric: string;
}

/** A figure of every run, beside the published one; and what explains its variation. */
export function ExperimentTable({ result, metric }: Props) {
  const names = Object.keys(result.factors);
  const published = result.runs.some(({ expected }) => metric in expected);
  return (
    <div className={styles.table} tabIndex={0} role="region" aria-label={metricLabel(metric)}>
      <table data-testid="result-table">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {metricLabel(name)}
              </th>
            ))}
            <th scope="col">{t("planner.simulatedFigure")}</th>
            {published && <th scope="col">{t("planner.published")}</th>}
            {published && <th scope="col">{t("planner.ratio")}</th>}
          </tr>
        </thead>
        <tbody>
          {result.runs.map(({ levels, metrics, expected }) => (
            <tr key={JSON.stringify(levels)}>
              {names.map((name) => (
                <td key={name}>{levelLabel(levels[name]!)}</td>
              ))}
              <td>{metrics[metric] ? estimate(metrics[metric].mean, metrics[metric].half) : "–"}</td>
              {published && <td>{expected[metric] ? estimate(expected[metric].value, expected[metric].half) : ""}</td>}
              {published && <td title={withinLabel(expected[metric])}>{ratio(expected[metric])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const estimate = (mean: number, half: number | null): string =>
  half === null ? figureLabel(mean) : `${figureLabel(mean)} ± ${decimal(Number(half.toPrecision(2)))}`;

function ratio(published: Published | undefined): string {
  if (!published) return "";
  const mark = published.within === undefined ? "" : published.within ? " ✓" : " ✗";
  return `${decimal(published.ratio.toFixed(2))}${mark}`;
}

function withinLabel(published: Published | undefined): string | undefined {
  if (published?.within === undefined) return undefined;
  return published.within ? t("planner.within") : t("planner.outside");
}

/** Of a 2^k design. */
export function Effects({ result, metric }: Props) {
  const shares = result.effects?.[metric]?.filter(({ factors }) => factors.length > 0);
  if (!shares) return null;
  return (
    <>
      <Title order={3} size="h6" mt="md">
        {t("planner.effects")}
      </Title>
      <dl className={styles.bars} data-testid="effects">
        {shares.map(({ factors, share }) => [
          <dt key={`${factors.join()} name`}>{factors.map(metricLabel).join(" × ")}</dt>,
          <dd key={`${factors.join()} bar`} aria-hidden="true">
            <div className={styles.track}>
              <div className={styles.fill} style={{ width: `${share * 100}%` }} />
            </div>
          </dd>,
          <dd key={`${factors.join()} share`} className={styles.value}>
            <Text size="sm">{percentLabel(share)}</Text>
          </dd>,
        ])}
      </dl>
    </>
  );
}
