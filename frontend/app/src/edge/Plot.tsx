import { Text } from "@mantine/core";
import { withUnit } from "@wavescope/core/geometry/figures";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import styles from "./edge.module.css";
import { type Values, stacked } from "./history";
import { dateLabel } from "../ui/dates";
import { useScheme } from "../ui/useScheme";

export interface Line {
  readonly label: string;
  readonly values: Values;
  readonly colour: Colour;
  /** In place of the values that are drawn by the left axis: 0 to 1, by the right one. */
  readonly ratio?: boolean;
  readonly dashed?: boolean;
}

/** A name of Mantine's colours. */
export type Colour = "blue" | "teal" | "orange" | "grape" | "red" | "gray" | "cyan" | "lime";

interface Props {
  readonly label: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** The lines without a ratio are areas on top of each other. */
  readonly stack?: boolean;
  /** The upper end of the axis, if it is fixed. */
  readonly most?: number;
}

const HEIGHT = 170;
/** Seconds between two times of the axis. */
const MINUTES = [60, 120, 300, 600];

/** Lines over time, with a legend of the values at the pointer, else of the last ones. */
export function Plot({ label, times, lines, format, stack = false, most }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const { other } = useScheme();
  const shape = JSON.stringify([other, stack, most, lines.map((line) => [line.colour, line.ratio, line.dashed])]);
  const data = dataOf(times, lines, stack);
  const create = useEffectEvent((element: HTMLElement) => {
    const options = optionsOf(lines, { stack, most, format });
    options.hooks = { setCursor: [(one) => setAt(one.cursor.idx ?? null)] };
    return new uPlot({ ...options, width: element.clientWidth || 300, height: HEIGHT }, data, element);
  });

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const made = create(element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape]); // everything that a plot is made of, but for its values
  useEffect(() => plot.current?.setData(data));

  const shown = at !== null && at < times.length ? at : times.length - 1;
  const valueOf = (line: Line): string => valueLabel(line, shown, format);
  const summary = lines.map((line) => `${line.label} ${valueOf(line)}`).join(", ");
  return (
    <figure className={styles.figure}>
      <div ref={container} className={styles.plot} role="img" aria-label={`${label}: ${summary}`} />
      <ul className={styles.legend} aria-hidden="true">
        {lines.map((line) => (
          <li key={line.label}>
            <span
              className={styles.swatch}
              data-dashed={line.dashed || line.ratio || undefined}
              style={{ "--swatch": cssColour(line.colour) } as React.CSSProperties}
            />
            {line.label} <b>{valueOf(line)}</b>
          </li>
        ))}
        <Text component="li" inherit c="dimmed" className={styles.time}>
          {times[shown] === undefined
            ? ""
            : dateLabel(times[shown] * 1000, "second")
                .split(", ")
                .at(-1)}
        </Text>
      </ul>
    </figure>
  );
}

const percent = (value: number): string => withUnit(Math.round(value * 100), "%");

function valueLabel(line: Line, index: number, format: (value: number) => string): string {
  const value = line.values[index];
  if (value === null || value === undefined) return "–";
  return line.ratio ? percent(value) : format(value);
}

function dataOf(times: readonly number[], lines: readonly Line[], stack: boolean): uPlot.AlignedData {
  const plain = lines.filter((line) => !line.ratio);
  const drawn = stack ? stacked(plain.map((line) => line.values)) : plain.map((line) => line.values);
  const values = lines.map((line) => (line.ratio ? line.values : drawn[plain.indexOf(line)]));
  return [times, ...values] as uPlot.AlignedData;
}

const cssColour = (colour: Colour): string =>
  `light-dark(var(--mantine-color-${colour}-7), var(--mantine-color-${colour}-4))`;

/** A colour of the page as a canvas reads it. */
function painted(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--mantine-color-${name}`).trim() || "#888";
}

function optionsOf(
  lines: readonly Line[],
  { stack, most, format }: { stack: boolean; most?: number; format: (value: number) => string },
): Omit<uPlot.Options, "width" | "height"> {
  const dark = document.documentElement.getAttribute("data-mantine-color-scheme") === "dark";
  const text = painted(dark ? "dark-1" : "gray-7");
  const grid = { stroke: painted(dark ? "dark-5" : "gray-2"), width: 1 };
  const axis = { stroke: text, grid, ticks: { ...grid, size: 4 }, font: "11px Inter, system-ui, sans-serif" };
  const ratio = lines.some((line) => line.ratio);
  const plain = lines.filter((line) => !line.ratio);
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: true },
      y: { range: (_, __, highest) => [0, most ?? Math.max(highest * 1.1, 1)] },
      ratio: { range: [0, 1] },
    },
    axes: [
      {
        ...axis,
        size: 30,
        space: 70,
        incrs: MINUTES,
        values: (_, ticks) => ticks.map((tick) => dateLabel(tick * 1000, "clock")),
      },
      { ...axis, size: 68, space: 36, values: (_, ticks) => ticks.map(format) },
      ...(ratio
        ? [{ ...axis, side: 1 as const, scale: "ratio", size: 46, space: 36, grid: { show: false }, values: percents }]
        : []),
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, painted(`${line.colour}-${dark ? 4 : 7}`), stack))],
    bands: stack
      ? plain
          .slice(1)
          .map((line, i) => ({ series: [lines.indexOf(line) + 1, lines.indexOf(plain[i]!) + 1] as [number, number] }))
      : undefined,
  };
}

const percents = (_: uPlot, ticks: number[]): string[] => ticks.map(percent);

function seriesOf(line: Line, stroke: string, stack: boolean): uPlot.Series {
  const area = stack && !line.ratio;
  return {
    scale: line.ratio ? "ratio" : "y",
    stroke,
    width: area ? 0 : 1.5, // the outline of an area without height would cover the one below
    dash: line.dashed || line.ratio ? [5, 4] : undefined,
    fill: area ? `${stroke}b3` : undefined,
    points: { show: false },
    spanGaps: line.ratio ?? false,
  };
}
