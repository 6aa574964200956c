import { t } from "@wavescope/core/i18n/i18n";
import type { ExperimentResult } from "@wavescope/core/wire/catalog/plannerClient";
import { useWidth } from "../Curve";
import { ticks } from "../figures";
import styles from "../planner.module.css";
import { axisOf, figureLabel, levelLabel, metricLabel, placesOf, seriesOf } from "./series";

interface Props {
  readonly result: ExperimentResult;
  readonly metric: string;
}

const HEIGHT = 300;
const MARGIN = { left: 66, right: 16, top: 14, bottom: 42 };
const DASHES = ["", "6 3", "2 3", "8 3 2 3"];
const HUES = 8;

/** A figure of all runs over the factor with most levels, with intervals; published figures as crosses. */
export function ExperimentPlot({ result, metric }: Props) {
  const [width, figure] = useWidth();
  const axis = axisOf(result);
  const levels = axis === null ? [""] : result.factors[axis]!;
  const series = seriesOf(result, metric);
  const all = series.flatMap(({ points }) => points);
  const most = Math.max(1e-12, ...all.map(({ mean, half, published }) => Math.max(mean + half, published ?? 0))) * 1.05;
  const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const place = placesOf(levels);
  const x = (at: string | number): number => MARGIN.left + inner.width * place(at);
  const y = (value: number): number => MARGIN.top + inner.height * (1 - value / most);
  const label = t("planner.resultPlot", { metric: metricLabel(metric), factor: metricLabel(axis ?? "") });
  const published = all.some((point) => point.published !== null);
  return (
    <figure className={styles.figure} ref={figure}>
      <svg
        className={styles.plot}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={label}
        data-testid="result-plot"
      >
        {ticks(most).map((at) => (
          <g key={at}>
            <line className={styles.grid} x1={MARGIN.left} x2={width - MARGIN.right} y1={y(at)} y2={y(at)} />
            <text x={MARGIN.left - 8} y={y(at) + 4} textAnchor="end">
              {figureLabel(at)}
            </text>
          </g>
        ))}
        {apart(levels, x, width).map((level) => (
          <text key={level} x={x(level)} y={HEIGHT - MARGIN.bottom + 18} textAnchor="middle">
            {levelLabel(level)}
          </text>
        ))}
        <text x={MARGIN.left + inner.width / 2} y={HEIGHT - 4} textAnchor="middle">
          {metricLabel(axis ?? "")}
        </text>
        {series.map(({ name, points }, n) => (
          <g key={name} className={styles.series} style={lookOf(n)} data-testid="series">
            <polyline
              points={points.map(({ at, mean }) => `${x(at)},${y(mean)}`).join(" ")}
              strokeDasharray={dashOf(n)}
            />
            {points.map(({ at, mean, half }) => (
              <g key={at}>
                <line x1={x(at)} x2={x(at)} y1={y(Math.max(0, mean - half))} y2={y(mean + half)} />
                <circle cx={x(at)} cy={y(mean)} r={2.5} />
              </g>
            ))}
            {points.map((point) =>
              point.published === null ? null : <Cross key={point.at} x={x(point.at)} y={y(point.published)} />,
            )}
          </g>
        ))}
      </svg>
      <ul className={styles.legend}>
        {series.length > 1 &&
          series.map(({ name }, n) => (
            <li key={name}>
              <svg width={22} height={8} aria-hidden="true" className={styles.series} style={lookOf(n)}>
                <line x1={0} x2={22} y1={4} y2={4} strokeDasharray={dashOf(n)} />
              </svg>
              {name}
            </li>
          ))}
        {published && (
          <li>
            <svg width={14} height={12} aria-hidden="true" className={styles.series}>
              <Cross x={7} y={6} />
            </svg>
            {t("planner.published")}
          </li>
        )}
      </ul>
    </figure>
  );
}

const dashOf = (n: number): string => DASHES[Math.floor(n / HUES) % DASHES.length]!;
const lookOf = (n: number): React.CSSProperties => ({ color: `var(--series-${n % HUES})` });

function Cross({ x, y }: { readonly x: number; readonly y: number }) {
  return <path d={`M${x - 4},${y - 4}l8,8m0,-8l-8,8`} data-testid="published" />;
}

/** Labels that do not touch each other. */
function apart<T extends string | number>(levels: readonly T[], x: (at: T) => number, width: number): T[] {
  const least = Math.min(40, width / 8);
  let last = -Infinity;
  return levels
    .toSorted((one, other) => x(one) - x(other))
    .filter((level) => {
      if (x(level) - last < least) return false;
      last = x(level);
      return true;
    });
}
