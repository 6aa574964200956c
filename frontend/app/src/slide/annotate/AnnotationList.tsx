import { ActionIcon, Group, NativeSelect, Text } from "@mantine/core";
import { IconSelectAll } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { measure } from "@wavescope/core/geometry/measure";
import { cssOf, shownColor } from "@wavescope/viewer/annotate/paint/colors";
import { KIND_NAMES, annotationName, measureLabels } from "@wavescope/viewer/annotate/draw/labels";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { useLength } from "../../ui/useLength";
import styles from "./annotate.module.css";
import { showObject } from "./showObject";
import { RowMarks } from "./together/RowMarks";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

const LEAST_ROWS = 6; // a low panel scrolls instead
const SPARE = 4; // rows above and below the visible ones

interface Props {
  readonly annotations: Annotations;
  readonly manifest: Manifest;
  readonly search: string;
}

/** All objects of layers that are not hidden that hold every word of the search; only the visible rows are made. */
export function AnnotationList({ annotations, manifest, search }: Props) {
  const { store } = annotations;
  const version = useAnnotationState(annotations, (state) => state.version);
  const classes = useAnnotationState(annotations, (state) => state.classes);
  const colorBy = useAnnotationState(annotations, (state) => state.colorBy);
  const selected = useAnnotationState(annotations, (state) => state.selected);
  const [order, setOrder] = useState<Order>("time");
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const row = useLength("--panel-row", 34);
  const height = useHeight(box);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the objects of the store
  const found = useMemo(() => sorted(matching(annotations, search), order), [annotations, search, order, version]);
  const first = Math.max(0, Math.floor(top / row) - SPARE);
  const rows = found.slice(first, first + Math.ceil(height / row) + 2 * SPARE);
  const go = (to: number): void => {
    const id = found[Math.min(found.length - 1, Math.max(0, to))]?.[0];
    if (id === undefined) return;
    store.select([id]);
    showObject(annotations, id);
    const at = found.findIndex(([one]) => one === id) * row;
    const element = box.current!;
    if (at < element.scrollTop || at + row > element.scrollTop + height) element.scrollTop = at - height / 2;
  };
  const keys = (event: React.KeyboardEvent): void => {
    const at = found.findIndex(([id]) => id === selected[0]);
    const page = Math.max(1, Math.floor(height / row));
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: found.length - 1,
    }[event.key];
    if (to !== undefined) go(to);
    else if (event.key === "Delete" || event.key === "Backspace") store.remove(selected);
    else if (event.key === "Enter" && at >= 0) showObject(annotations, found[at]![0], true);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.found}>
      <Group gap={4} mb={4} wrap="nowrap">
        <Text size="xs" c="dimmed" className={styles.grow} data-testid="annotation-count">
          {t("annotate.count", { count: found.length })}
        </Text>
        {found.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t("annotate.sortBy")}
            className={styles.order}
            data={ORDERS}
            value={order}
            onChange={(event) => setOrder(event.currentTarget.value as Order)}
          />
        )}
        {found.length > 1 && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={t("annotate.selectAll")}
            title={t("annotate.selectAll")}
            onClick={() => store.select(found.map(([id]) => id))}
          >
            <IconSelectAll size={15} />
          </ActionIcon>
        )}
      </Group>
      <div
        ref={box}
        className={styles.list}
        style={listSize(found.length, row)}
        role="listbox"
        aria-label={t("common.annotations")}
        aria-multiselectable="true"
        aria-activedescendant={selected.length > 0 ? `annotation-${selected[0]}` : undefined}
        tabIndex={0}
        onKeyDown={keys}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        data-testid="annotation-list"
      >
        <div
          style={{ height: found.length * row, paddingTop: first * row, boxSizing: "border-box" }}
          role="presentation"
        >
          {rows.map(([id, content], i) => (
            <div
              key={id}
              id={`annotation-${id}`}
              role="option"
              aria-selected={selected.includes(id)}
              aria-setsize={found.length}
              aria-posinset={first + i + 1}
              className={styles.row}
              style={{ height: row }}
              onClick={(event) => (event.shiftKey ? store.select([...selected, id]) : go(first + i))}
              onDoubleClick={() => showObject(annotations, id, true)}
            >
              <span
                className={styles.swatch}
                style={{ background: cssOf(shownColor(content, store.authorOf(id), { colorBy, classes })) }}
              />
              <span className={styles.rowName} title={annotationName(content)}>
                {store.isLocal(id)
                  ? t("annotate.notSavedContent", { content: annotationName(content) })
                  : annotationName(content)}
              </span>
              <span className={styles.rowMeasure}>{measureLabels(content.shape, manifest.mpp)[0]}</span>
              <RowMarks annotations={annotations} id={id} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** As high as its rows, as far as the panel has room. */
function listSize(rows: number, row: number): React.CSSProperties {
  if (rows === 0) return { display: "none" };
  return { minHeight: Math.min(LEAST_ROWS, rows) * row + 2, maxHeight: rows * row + 2 };
}

/** How high an element is, now and whenever that changes. */
function useHeight(element: React.RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(() => setHeight(element.current!.clientHeight));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return height;
}

type Order = "time" | "name" | "class" | "size";

const ORDERS: { readonly value: Order; readonly label: string }[] = [
  { value: "time", label: t("annotate.byTime") },
  { value: "name", label: t("annotate.byName") },
  { value: "class", label: t("annotate.byClass") },
  { value: "size", label: t("annotate.bySize") },
];
const collator = new Intl.Collator(undefined, { numeric: true });

/** In another order; those that are equal in it stay in the order of their creation. Sizes are areas, then lengths, the largest first. */
function sorted(found: (readonly [string, Content])[], order: Order): (readonly [string, Content])[] {
  switch (order) {
    case "time":
      return found;
    case "name":
      return found.sort(([, a], [, b]) => collator.compare(annotationName(a), annotationName(b)));
    case "class":
      return found.sort(([, a], [, b]) => collator.compare(a.class, b.class));
    case "size": {
      const sizes = new Map(found.map(([id, { shape }]) => [id, measure(shape, null)]));
      const by = (id: string, what: "area" | "length"): number => sizes.get(id)![what] ?? -1;
      return found.sort(([a], [b]) => by(b, "area") - by(a, "area") || by(b, "length") - by(a, "length"));
    }
  }
}

function matching({ store }: Annotations, search: string): (readonly [string, Content])[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found: (readonly [string, Content])[] = [];
  for (const entry of store.index.all()) {
    const [id, { name, text, class: group, shape }] = entry;
    if (store.styleOf(id).hidden) continue;
    const author = store.signed(id)?.author ?? "";
    const searchable =
      words.length > 0 ? `${name} ${text} ${group} ${KIND_NAMES[shape.kind]} ${author}`.toLowerCase() : "";
    if (words.every((word) => searchable.includes(word))) found.push(entry);
  }
  return found;
}
