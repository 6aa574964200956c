import { useId, useLayoutEffect, useRef, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import type { CurvePoint } from "./curves";
import { countLabel, logTicks, secondsLabel, ticks } from "./figures";
import styles from "./planner.module.css";

/** A simulated point: its mean, and half the width of its interval. */
export interface SimulatedPoint {
  readonly at: number;
  readonly mean: number;
  readonly half: number;
  /** Within which 95 % of the answers came. */
  readonly slow?: number;
}

interface Props {
  readonly label: string;
  readonly axis: string;
  readonly points: readonly CurvePoint[];
  readonly simulated: readonly SimulatedPoint[];
  readonly goal: number;
  /** Of 95 % of the answers; 0: none. */
  readonly goal95: number;
  readonly now: number;
  readonly log: boolean;
}

const HEIGHT = 260;
const MARGIN = { left: 62, right: 14, top: 14, bottom: 40 };
/** The vertical axis ends at so many goals: what is above does not matter. */
const GOALS = 2.5;

/** What an answer takes over a number of clients, nodes or GB: computed lines, simulated points, and the goal. */
export function Curve({ label, axis, points, simulated, goal, goal95, now, log }: Props) {
  const [width, figure] = useWidth();
  const clip = useId();
  const low = points[0]?.at ?? 0;
  const high = Math.max(points.at(-1)?.at ?? 1, low + 1);
  const most = Math.min(
    Math.max(goal, goal95) * GOALS,
    Math.max(goal * 1.15, goal95 * 1.15, ...points.map(({ slow }) => slow * 1.05)),
  );
  const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const part = (at: number): number => (log ? Math.log(at / low) / Math.log(high / low) : (at - low) / (high - low));
  const x = (at: number): number => MARGIN.left + inner.width * part(at);
  const y = (seconds: number): number => MARGIN.top + inner.height * (1 - Math.min(seconds, most * 9) / most);
  const path = (value: (point: CurvePoint) => number): string =>
    points.map((point, i) => `${i ? "L" : "M"}${x(point.at).toFixed(1)},${y(value(point)).toFixed(1)}`).join("");
  const times = ticks(most);
  const places = log
    ? logTicks(low, high, width > 480)
    : ticks(high, Math.max(3, Math.floor(width / 90))).filter((at) => at >= low);
  const shown = simulated.filter(({ at }) => at >= low && at <= high);
  return (
    <figure className={styles.figure} ref={figure}>
      <svg className={styles.plot} width={width} height={HEIGHT} role="img" aria-label={label} data-testid="curve">
        {times.map((at) => (
          <g key={at}>
            <line className={styles.grid} x1={MARGIN.left} x2={width - MARGIN.right} y1={y(at)} y2={y(at)} />
            <text x={MARGIN.left - 8} y={y(at) + 4} textAnchor="end">
              {at === 0 ? "0" : secondsLabel(at)}
            </text>
          </g>
        ))}
        {places.map((at) => (
          <text key={at} x={x(at)} y={HEIGHT - MARGIN.bottom + 18} textAnchor="middle">
            {countLabel(at)}
          </text>
        ))}
        <text x={MARGIN.left + inner.width / 2} y={HEIGHT - 4} textAnchor="middle">
          {axis}
        </text>
        <line className={styles.now} x1={x(now)} x2={x(now)} y1={MARGIN.top} y2={MARGIN.top + inner.height} />
        <line className={styles.goal} x1={MARGIN.left} x2={width - MARGIN.right} y1={y(goal)} y2={y(goal)} />
        {goal95 > 0 && (
          <line className={styles.goal95} x1={MARGIN.left} x2={width - MARGIN.right} y1={y(goal95)} y2={y(goal95)} />
        )}
        <clipPath id={clip}>
          <rect x={MARGIN.left - 5} y={MARGIN.top} width={inner.width + 10} height={inner.height + 5} />
        </clipPath>
        <g clipPath={`url(#${clip})`}>
          <path className={styles.slow} d={path(({ slow }) => slow)} />
          <path className={styles.mean} d={path(({ mean }) => mean)} data-testid="curve-mean" />
          {shown.map(({ at, mean, half, slow }) => (
            <g key={at} className={styles.simulated} data-testid="simulated-point">
              <line x1={x(at)} x2={x(at)} y1={y(mean - half)} y2={y(mean + half)} />
              <circle cx={x(at)} cy={y(mean)} r={3.5} />
              {slow !== undefined && <circle className={styles.hollow} cx={x(at)} cy={y(slow)} r={3.5} />}
            </g>
          ))}
        </g>
      </svg>
      <Legend simulated={shown.length > 0} goal95={goal95 > 0} />
    </figure>
  );
}

function Legend({ simulated, goal95 }: { readonly simulated: boolean; readonly goal95: boolean }) {
  const line = (name: string | undefined, label: string) => (
    <li>
      <svg width={22} height={8} aria-hidden="true">
        <line className={name} x1={0} x2={22} y1={4} y2={4} strokeWidth={2} />
      </svg>
      {label}
    </li>
  );
  return (
    <ul className={styles.legend}>
      {line(styles.mean, t("planner.computed"))}
      {line(styles.slow, t("planner.computed95"))}
      {line(styles.goal, t("planner.goalLine"))}
      {goal95 && line(styles.goal95, t("planner.goal95Line"))}
      {line(styles.now, t("planner.now"))}
      {simulated && (
        <li>
          <svg width={12} height={12} aria-hidden="true">
            <circle className={styles.simulated} cx={6} cy={6} r={3.5} />
          </svg>
          {t("planner.simulated")}
        </li>
      )}
      {simulated && (
        <li>
          <svg width={12} height={12} aria-hidden="true">
            <circle className={`${styles.simulated} ${styles.hollow}`} cx={6} cy={6} r={3.5} />
          </svg>
          {t("planner.simulated95")}
        </li>
      )}
    </ul>
  );
}

const USUAL = 560;

/** The width that a plot has, and the element that has it. */
export function useWidth() {
  const element = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(USUAL);
  useLayoutEffect(() => {
    const found = element.current;
    if (!found) return;
    const measure = (): void => setWidth(Math.max(240, found.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(found);
    return () => observer.disconnect();
  }, []);
  return [width, element] as const;
}
