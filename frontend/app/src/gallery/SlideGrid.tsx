import { memo, useEffect, useRef, useState } from "react";
import type { Sort } from "@wavescope/core/wire/catalog/sort";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import { type Range, layoutOf, stepTo, visible } from "../state/listWindow";
import { chooseAlso, chooseNone, toggleChosen } from "./gallery";
import { useLength } from "../ui/useLength";
import { type CardDialog, SlideCard as Card } from "./SlideCard";
import styles from "./slideGrid.module.css";
import { later } from "../ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";

const SlideCard = memo(Card); // scrolling renders only what comes
const ColumnHeads = later(async () => (await import("./ColumnHeads")).ColumnHeads, { ownStyles: true });

interface Props {
  readonly total: number;
  readonly slide: (index: number) => SlideSummary | undefined;
  readonly between: (from: number, to: number) => Promise<readonly SlideSummary[]>;
  readonly list: boolean;
  /** With the pictures of their labels. */
  readonly labels: boolean;
  readonly sort: Sort | null;
  readonly onRange: (range: Range) => void;
  readonly onSort: (sort: Sort) => void;
  readonly onDialog: (kind: CardDialog, slide: SlideSummary) => void;
}

/** All slides of the list as cards or rows at fixed places, of which those near the screen are drawn. */
export function SlideGrid({ total, slide, between, list, labels, sort, onRange, onSort, onDialog }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const anchor = useRef(0);
  const wanted = useRef(-1); // the slide that gets the focus as soon as it is there
  const [focused, setFocused] = useState(-1);
  const [width, setWidth] = useState(0);
  const layout = layoutOf(width, list, {
    card: useLength("--gallery-card", 260),
    gap: useLength("--gallery-gap", 16),
    text: useLength("--gallery-text", 82),
    row: useLength("--gallery-row", 60),
  });
  const range = useRange(box, layout, total, setWidth);
  const { first, end } = range;
  useEffect(() => onRange({ first, end }), [first, end, onRange]);

  const chooseTo = (index: number): void => void between(anchor.current, index).then(chooseAlso);
  const focusWanted = (): void => {
    if (wanted.current < 0) return;
    box.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] a`)?.focus({ preventScroll: true });
  };
  useEffect(focusWanted); // a slide that has just come
  const focus = (index: number): void => {
    const row = Math.floor(index / layout.columns) * layout.row + box.current!.getBoundingClientRect().top;
    if (row < 140) scrollBy({ top: row - 140 });
    else if (row + layout.row > innerHeight - 70) scrollBy({ top: row + layout.row - innerHeight + 70 });
    wanted.current = index;
    focusWanted();
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const card = (event.target as HTMLElement).closest<HTMLElement>("[data-index]");
    if (!card || event.target !== card.querySelector("a")) return;
    const index = Number(card.dataset.index);
    const to = stepTo(event.key, index, total, layout.columns, document.dir === "rtl" ? -1 : 1);
    if (to !== null) {
      if (!event.shiftKey) anchor.current = to;
      else chooseTo(to);
      focus(to);
    } else if (event.key === " ") {
      anchor.current = index;
      toggleChosen(slide(index)!);
    } else if (event.key === "a" && (event.ctrlKey || event.metaKey)) void between(0, total - 1).then(chooseAlso);
    else if (event.key === "Escape") chooseNone();
    else return;
    event.preventDefault();
  };
  const onClickCapture = (event: React.MouseEvent): void => {
    const index = indexOf(event.target);
    if (index < 0) return;
    if (!event.shiftKey) {
      anchor.current = index;
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    chooseTo(index);
  };
  const indexes = Array.from({ length: end - first }, (_, i) => first + i);
  if (focused >= 0 && focused < total && (focused < first || focused >= end)) indexes.push(focused); // it keeps the focus
  return (
    <>
      {list && <ColumnHeads sort={sort} labels={labels} onSort={onSort} />}
      <div
        ref={box}
        className={styles.space}
        data-list={list || undefined}
        role="list"
        aria-label={t("gallery.slides")}
        style={{ height: Math.ceil(total / layout.columns) * layout.row }}
        onKeyDown={onKeyDown}
        onClickCapture={onClickCapture}
        onFocus={(event) => {
          wanted.current = -1;
          setFocused(indexOf(event.target));
        }}
        onBlur={(event) => {
          if (!box.current?.contains(event.relatedTarget)) setFocused(-1);
        }}
      >
        {width > 0 &&
          indexes.map((index) => {
            const shown = slide(index);
            const [column, row] = [index % layout.columns, Math.floor(index / layout.columns)];
            const side = `(100% - ${layout.gap * (layout.columns - 1)}px) / ${layout.columns}`;
            const place = {
              top: row * layout.row,
              height: layout.row - layout.gap,
              width: `calc(${side})`,
              insetInlineStart: `calc((${side} + ${layout.gap}px) * ${column})`,
            };
            return (
              <div
                key={shown?.id ?? `empty ${index}`}
                className={styles.place}
                style={place}
                role="listitem"
                aria-setsize={total}
                aria-posinset={index + 1}
                data-index={index}
              >
                {shown ? (
                  <SlideCard slide={shown} list={list} label={labels} onDialog={onDialog} />
                ) : (
                  <div className={styles.empty} aria-busy="true" />
                )}
              </div>
            );
          })}
      </div>
    </>
  );
}

/** Of the slide that an element belongs to; -1: of none. */
function indexOf(target: EventTarget): number {
  const place = (target as Element).closest<HTMLElement>("[data-index]");
  return place ? Number(place.dataset.index) : -1;
}

/** What of the list is near the screen; it follows scrolling and the size of the window. */
function useRange(
  box: React.RefObject<HTMLDivElement | null>,
  { columns, row, gap }: ReturnType<typeof layoutOf>,
  total: number,
  onWidth: (width: number) => void,
): Range {
  const [range, setRange] = useState<Range>({ first: 0, end: 0 });
  useEffect(() => {
    const element = box.current!;
    const look = (): void => {
      const { top, width } = element.getBoundingClientRect();
      onWidth(width);
      const now = visible({ columns, row, gap }, total, -top, innerHeight - top);
      setRange((old) => (old.first === now.first && old.end === now.end ? old : now));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [box, columns, row, gap, total, onWidth]);
  return { first: Math.min(range.first, total), end: Math.min(range.end, total) };
}
