import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { type SlidePoint, handlePlacing } from "@wavescope/viewer/navigation/placing";
import { onScreen, underScreen } from "@wavescope/viewer/navigation/pointing";
import type { Mark, MarkKind } from "@wavescope/core/wire/catalog/toursClient";
import { slideOf, useTour } from "../microscope/openTour";
import type { PartProps } from "../microscope/parts";
import { useDrawn } from "../microscope/useDrawn";
import { type MarkEnd, MARK_ENDS, markAt, markBetween, withEnd, withShift, withWaypoint } from "./editing";
import { editingTour } from "./editingTour";
import { MARK_NAMES } from "./markNames";
import { Marks, outline } from "./Marks";
import styles from "./tours.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** The marks of the stop that is edited: the one that is being placed is seen, the others can be moved and turned. */
export function EditMarks({ microscope, manifest }: PartProps) {
  const { tour: id, stop, placing, change } = useStore(editingTour);
  const { data } = useTour(id);
  const waypoint = data?.tour.waypoints.find((one) => one.id === stop);
  if (!change || !data || !waypoint || (slideOf(data, waypoint) ?? manifest.id) !== manifest.id) return null;
  const set = (marks: readonly Mark[]): void => change((tour) => withWaypoint(tour, waypoint.id, { marks }));
  return <Editable key={waypoint.id} microscope={microscope} marks={waypoint.marks} placing={placing} onMarks={set} />;
}

interface EditableProps {
  readonly microscope: Microscope;
  readonly marks: readonly Mark[];
  readonly placing: MarkKind | null;
  readonly onMarks: (marks: readonly Mark[]) => void;
}

function Editable({ microscope, marks, placing, onMarks }: EditableProps) {
  const draft = usePlacing(microscope, placing, (mark) => {
    onMarks([...marks, mark]);
    editingTour.setState({ placing: null });
  });
  const [moved, setMoved] = useState<{ readonly index: number; readonly mark: Mark } | null>(null);
  const shown = moved ? marks.with(moved.index, moved.mark) : marks;
  return (
    <>
      <Marks microscope={microscope} marks={draft ? [...shown, draft] : shown} />
      <svg className={styles.grips} data-testid="tour-grips">
        {!placing &&
          shown.map((mark, index) => (
            <Grips
              key={index}
              microscope={microscope}
              mark={mark}
              onMove={(next) => setMoved(next && { index, mark: next })}
              onEnd={(next) => {
                setMoved(null);
                onMarks(marks.with(index, next));
              }}
            />
          ))}
      </svg>
    </>
  );
}

/** While a kind is chosen: the mark as it would be placed, from the pointer on. */
function usePlacing(microscope: Microscope, kind: MarkKind | null, place: (mark: Mark) => void): Mark | null {
  const [draft, setDraft] = useState<Mark | null>(null);
  const latest = useRef(place);
  useEffect(() => {
    latest.current = place;
  });
  useEffect(() => {
    if (!kind) return;
    const small = (at: SlidePoint): Mark => markAt(kind, at, microscope.reading(false).region.l0_width);
    const stop = handlePlacing(microscope, {
      hovered: (at) => setDraft(at && small(at)),
      dragged: (from, to) => setDraft(markBetween(kind, from, to)),
      placed: (from, to) =>
        latest.current(from.l0_x === to.l0_x && from.l0_y === to.l0_y ? small(to) : markBetween(kind, from, to)),
    });
    return () => {
      stop();
      setDraft(null);
    };
  }, [microscope, kind]);
  return draft;
}

interface GripsProps {
  readonly microscope: Microscope;
  readonly mark: Mark;
  /** Null: as it was. */
  readonly onMove: (mark: Mark | null) => void;
  readonly onEnd: (mark: Mark) => void;
}

/** What one takes hold of: the mark itself, and its ends. */
function Grips(props: GripsProps) {
  const { microscope, mark } = props;
  useDrawn(microscope);
  const shift = (from: SlidePoint, to: SlidePoint): Mark => withShift(mark, to.l0_x - from.l0_x, to.l0_y - from.l0_y);
  return (
    <g>
      <Grip {...props} part="whole" turned={shift} />
      {MARK_ENDS[mark.kind].map((end) => (
        <Grip key={end} {...props} part={end} turned={(_, to) => withEnd(mark, end, to)} />
      ))}
    </g>
  );
}

interface GripProps extends GripsProps {
  readonly part: MarkEnd | "whole";
  /** The mark after a drag. */
  readonly turned: (from: SlidePoint, to: SlidePoint) => Mark;
}

function Grip({ microscope, mark, part, turned, onMove, onEnd }: GripProps) {
  /** Where the drag began, and what it does to the mark as it was then. */
  const drag = useRef<((to: SlidePoint) => Mark) | null>(null);
  const pointOf = (event: React.PointerEvent<SVGElement>): SlidePoint => {
    const { left, top } = event.currentTarget.ownerSVGElement!.getBoundingClientRect();
    return underScreen(microscope, { css_x: event.clientX - left, css_y: event.clientY - top });
  };
  const handlers = {
    onPointerDown: (event: React.PointerEvent<SVGElement>): void => {
      event.currentTarget.setPointerCapture(event.pointerId);
      const from = pointOf(event);
      drag.current = (to) => turned(from, to);
    },
    onPointerMove: (event: React.PointerEvent<SVGElement>): void => {
      if (drag.current) onMove(drag.current(pointOf(event)));
    },
    onPointerUp: (event: React.PointerEvent<SVGElement>): void => {
      if (drag.current) onEnd(drag.current(pointOf(event)));
      drag.current = null;
    },
    onPointerCancel: (): void => {
      drag.current = null;
      onMove(null);
    },
  };
  const kind = MARK_NAMES[mark.kind];
  if (part === "whole")
    return (
      <polyline points={outline(microscope, mark)} className={styles.grip} data-grip={part} {...handlers}>
        <title>{t("tours.moveMark", { kind })}</title>
      </polyline>
    );
  const far = part === "end" ? 1 : 0;
  const { css_x, css_y } = onScreen(microscope, mark.l0_x + far * mark.l0_width, mark.l0_y + far * mark.l0_height);
  return (
    <circle cx={css_x} cy={css_y} r={8} className={styles.end} data-grip={part} {...handlers}>
      <title>{t("tours.turnMark", { kind })}</title>
    </circle>
  );
}
