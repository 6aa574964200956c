import { type Style, colorAt, cssColor } from "@wavescope/core/overlays/style";

interface Props {
  /** Of each score from 0 to 255. */
  readonly counts: Uint32Array;
  readonly style: Style;
}

const BARS = 64;
const HEIGHT = 32;

/** How many objects in view have each score: those that are shown in the colours of the map, others in grey. */
export function ScoreHistogram({ counts, style }: Props) {
  const each = counts.length / BARS;
  const sums = Array.from({ length: BARS }, (_, i) =>
    counts.slice(i * each, (i + 1) * each).reduce((sum, count) => sum + count, 0),
  );
  const most = Math.max(1, ...sums);
  const span = Math.max(1, style.to - style.from);
  return (
    <svg
      viewBox={`0 0 ${BARS} ${HEIGHT}`}
      preserveAspectRatio="none"
      width="100%"
      height={HEIGHT}
      aria-hidden="true"
      data-testid="score-histogram"
    >
      {sums.map((sum, i) => {
        const score = (i + 0.5) * each;
        const isShown = score >= style.least && score <= style.most;
        const color = style.byScore ? cssColor(colorAt(style.map, (score - style.from) / span)) : "#4c6ef5";
        const height = (HEIGHT * sum) / most;
        return (
          <rect key={i} x={i} y={HEIGHT - height} width={0.9} height={height} fill={isShown ? color : "#adb5bd"} />
        );
      })}
    </svg>
  );
}
