import { ActionIcon } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconMap } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { centreOn, panBy } from "@wavescope/viewer/navigation/moves";
import { jump } from "./browserHistory";
import type { DrawingProps } from "./coverage/CoverageDrawing";
import { panelState, toggleOverview } from "./panelState";
import styles from "./controls.module.css";
import { Hint } from "../ui/later/Hint";
import { later } from "../ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";

const LONGEST = 200;
const LONGEST_ON_PHONES = 120;

const CoverageDrawing = later<DrawingProps>(async () => (await import("./coverage/CoverageDrawing")).CoverageDrawing, {
  ahead: true,
  afterPicture: true,
});

/** The whole slide, small, with the field of view marked. It shows the thumbnail: no tiles are fetched for it. */
export function Overview({ microscope }: { readonly microscope: Microscope }) {
  const frame = useRef<HTMLDivElement>(null);
  const [dragging, setDragging] = useState(false);
  const { width, height } = microscope.pyramid;
  const unfolded = useStore(panelState, (state) => state.overview);
  const narrow = useMediaQuery("(max-width: 600px)");
  const scale = (narrow ? LONGEST_ON_PHONES : LONGEST) / Math.max(width, height);
  const size = { width: Math.max(24, Math.round(width * scale)), height: Math.max(24, Math.round(height * scale)) };
  const go = (event: React.PointerEvent, immediately: boolean): void => {
    const box = frame.current!.getBoundingClientRect();
    const across = (event.clientX - box.left) / box.width;
    const down = (event.clientY - box.top) / box.height;
    centreOn(
      microscope,
      Math.min(1, Math.max(0, across)) * width,
      Math.min(1, Math.max(0, down)) * height,
      immediately,
    );
  };
  const keys = (event: React.KeyboardEvent): void => {
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    panBy(microscope, move[0] / 2, move[1] / 2);
  };
  return (
    <div
      ref={frame}
      className={styles.overview}
      style={size}
      hidden={!unfolded}
      role="group"
      tabIndex={0}
      aria-label={t("microscope.overview")}
      data-testid="overview"
      onKeyDown={keys}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragging(true);
        jump(microscope, () => go(event, false));
      }}
      onPointerMove={(event) => dragging && go(event, true)}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
    >
      <img src={microscope.thumbnail} alt="" draggable={false} />
      <CoverageDrawing microscope={microscope} />
      <FieldMark microscope={microscope} />
    </div>
  );
}

/** The overview with the button in its corner that folds it away, and stays where it is. */
export function FoldingOverview({ microscope }: { readonly microscope: Microscope }) {
  const unfolded = useStore(panelState, (state) => state.overview);
  return (
    <div className={styles.overviewFrame}>
      <Overview microscope={microscope} />
      <Hint
        label={t(unfolded ? "microscope.hideOverview" : "microscope.showOverview")}
        commands={["viewer.overview"]}
        position="left"
      >
        <ActionIcon
          className={styles.overviewToggle}
          variant="default"
          size="sm"
          onClick={toggleOverview}
          aria-label={t("microscope.overviewToggle")}
          aria-pressed={unfolded}
        >
          <IconMap size={14} />
        </ActionIcon>
      </Hint>
    </div>
  );
}

/** The field of view; the only part that is rendered frame by frame. */
function FieldMark({ microscope }: { readonly microscope: Microscope }) {
  const region = useStore(microscope.state, (state) => state.region);
  const rotation = useStore(microscope.state, (state) => state.rotation);
  const { width, height } = microscope.pyramid;
  const percent = (value: number): string => `${(100 * value).toFixed(3)}%`;
  const mark = {
    left: percent(region.l0_x / width),
    top: percent(region.l0_y / height),
    width: percent(region.l0_width / width),
    height: percent(region.l0_height / height),
    transform: rotation === 0 ? undefined : `rotate(${-rotation}deg)`, // the slide is turned on the screen, the field on the slide
  };
  return <div className={styles.overviewMark} style={mark} data-testid="overview-mark" />;
}
