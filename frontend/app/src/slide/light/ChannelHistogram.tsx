import type { Histogram } from "@wavescope/core/tiles/channels/histogram";

interface Props {
  readonly histogram: Histogram;
  /** RRGGBB */
  readonly colour: string;
  /** The samples at the left and right end of the picture. */
  readonly min: number;
  readonly max: number;
}

const HEIGHT = 28;
const WIDTH = 1000;

/** How often each brightness occurs, on the scale of the slider below it: the root of the counts, so that few samples are seen beside many. */
export function ChannelHistogram({ histogram: { from, to, counts }, colour, min, max }: Props) {
  const most = Math.sqrt(Math.max(...counts));
  const at = (sample: number): number => (WIDTH * (sample - min)) / (max - min);
  const width = (at(to + 1) - at(from)) / counts.length;
  const points = counts.flatMap((count, i) => {
    const [x, y] = [at(from) + i * width, HEIGHT * (1 - Math.sqrt(count) / most)];
    return [`${x.toFixed(1)},${y.toFixed(1)}`, `${(x + width).toFixed(1)},${y.toFixed(1)}`];
  });
  const outline = [`${at(from).toFixed(1)},${HEIGHT}`, ...points, `${at(to + 1).toFixed(1)},${HEIGHT}`];
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      width="100%"
      height={HEIGHT}
      aria-hidden="true"
      data-testid="histogram"
    >
      <polygon points={outline.join(" ")} fill={`#${colour}`} stroke="currentColor" strokeWidth={0.5} opacity={0.7} />
    </svg>
  );
}
