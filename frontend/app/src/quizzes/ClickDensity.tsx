import type { ScreenPoint } from "@wavescope/viewer/navigation/pointing";
import { opacityOf } from "./results";

const RADIUS = 32; // CSS pixels of one click
/** From few clicks to many: of each channel, then of the opacity. */
const COLOURS = {
  R: "0.1 0.15 0.1 0.95 0.95 0.8",
  G: "0.2 0.4 0.75 0.85 0.4 0.05",
  B: "0.8 0.9 0.5 0.2 0.1 0.1",
  A: "0 0.35 0.5 0.6 0.65 0.7",
};

/** Where many clicked: spots that add up, in the colours of their sum. Part of a drawing over the slide. */
export function ClickDensity({ spots }: { readonly spots: readonly ScreenPoint[] }) {
  const opacity = opacityOf(spots, RADIUS);
  return (
    <>
      <radialGradient id="click-density-spot">
        <stop offset="0" stopOpacity={opacity} />
        <stop offset="0.5" stopOpacity={opacity * 0.5} />
        <stop offset="1" stopOpacity={0} />
      </radialGradient>
      <filter id="click-density" filterUnits="userSpaceOnUse" x="0" y="0" width="100%" height="100%">
        <feColorMatrix values="0 0 0 1 0  0 0 0 1 0  0 0 0 1 0  0 0 0 1 0" />
        <feComponentTransfer colorInterpolationFilters="sRGB">
          <feFuncR type="table" tableValues={COLOURS.R} />
          <feFuncG type="table" tableValues={COLOURS.G} />
          <feFuncB type="table" tableValues={COLOURS.B} />
          <feFuncA type="table" tableValues={COLOURS.A} />
        </feComponentTransfer>
      </filter>
      <g filter="url(#click-density)" data-testid="click-density">
        {spots.map(({ css_x, css_y }, i) => (
          <rect
            key={i}
            x={css_x - RADIUS}
            y={css_y - RADIUS}
            width={2 * RADIUS}
            height={2 * RADIUS}
            fill="url(#click-density-spot)"
          />
        ))}
      </g>
    </>
  );
}
