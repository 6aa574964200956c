/** What can be done with the selected annotations as a whole: areas put together and cut, copies made. Each is one step. */
import { measure } from "@wavescope/core/geometry/measure";
import { type Shape, boxOf, hundredths, isClosed, moved } from "@wavescope/core/geometry/shape";
import { type Content, parseContent, writeContent } from "@wavescope/core/wire/annotations/annotations";
import { t } from "@wavescope/core/i18n/i18n";
import type { AnnotationStore } from "./store/annotationStore";

/** Merge, intersect: all become one. Subtract: the others are cut out of the largest, and stay. Split: into parts, or along selected lines. */
export type Combination = "merge" | "subtract" | "intersect" | "split";

const COPY_STEP = 16; // CSS pixels between an annotation and its copy

interface Item {
  readonly id: string;
  readonly shape: Shape;
}

const isLine = ({ shape }: Item): boolean => shape.kind === "line";
const isArea = ({ shape }: Item): boolean => isClosed(shape);

function changeable(store: AnnotationStore): Item[] {
  return store.state.getState().selected.flatMap((id) => {
    const content = store.mayChange(id) ? store.get(id) : null;
    return content ? [{ id, shape: content.shape }] : [];
  });
}

export function canCombine(store: AnnotationStore, how: Combination): boolean {
  const items = changeable(store);
  const areas = items.filter(isArea);
  if (how !== "split") return areas.length > 1;
  return areas.some(({ shape }) => shape.groups.length > 1) || (areas.length > 0 && items.some(isLine));
}

/** Leaves everything as it is, and says so, where nothing would be left. */
export async function combine(store: AnnotationStore, how: Combination): Promise<void> {
  const tools = await import("./draw/areas");
  const items = changeable(store);
  const areas = items.filter(isArea);
  if (areas.length === 0) return;
  if (how === "split") return split(store, tools, areas, items.filter(isLine));
  const [first, ...others] = how === "subtract" ? bySize(areas) : areas;
  const shapes = others.map(({ shape }) => shape);
  const made =
    how === "subtract"
      ? tools.difference(first!.shape, shapes)
      : tools[how === "merge" ? "union" : "intersection"]([first!.shape, ...shapes]);
  if (!made) return store.set({ notice: t(how === "subtract" ? "annotate.nothingLeft" : "annotate.noOverlap") });
  const gone = how === "subtract" ? [] : others.map(({ id }) => id);
  store.select(store.reshape([{ id: first!.id, shapes: [made] }], gone));
}

function split(
  store: AnnotationStore,
  tools: typeof import("./draw/areas"),
  areas: readonly Item[],
  lines: readonly Item[],
): void {
  const blades = lines.map(({ shape }) => shape);
  const parts = areas.map(({ id, shape }) => ({
    id,
    shapes: blades.length > 0 ? tools.cut(shape, blades) : tools.partsOf(shape),
  }));
  const divided = parts.filter(({ shapes }) => shapes.length > 1);
  if (divided.length === 0) return store.set({ notice: t("annotate.notDivided") });
  const used = lines.map(({ id }) => id);
  store.select(store.reshape(divided, used));
}

/** The largest first. */
const bySize = (areas: readonly Item[]): Item[] =>
  [...areas].sort((a, b) => (measure(b.shape, null).area ?? 0) - (measure(a.shape, null).area ?? 0));

function selectedContents(store: AnnotationStore): Content[] {
  return store.state.getState().selected.flatMap((id) => store.get(id) ?? []);
}

/** The selected annotations once more, a little to the lower right, selected. `pixel`: level-0 pixels per CSS pixel. */
export function duplicate(store: AnnotationStore, pixel: number): void {
  const step = hundredths(COPY_STEP * pixel);
  const copies = selectedContents(store).map((content) => ({ ...content, shape: moved(content.shape, step, step) }));
  if (copies.length > 0) store.select(store.add(copies, copies[0]!.z));
}

const FORMAT = "wavescope-annotations";

/** The selected annotations as a text that `paste` reads, on this slide or another; null: nothing is selected. */
export function copied(store: AnnotationStore): string | null {
  const contents = selectedContents(store);
  return contents.length > 0 ? JSON.stringify({ [FORMAT]: 1, contents: contents.map(writeContent) }) : null;
}

/** The annotations of a text of `copied`; null: it is another text. Throws ContractError where one is damaged. */
export function pastedContents(text: string): Content[] | null {
  if (!text.startsWith(`{"${FORMAT}":1,`)) return null;
  const { contents } = JSON.parse(text) as { readonly contents: readonly unknown[] };
  return contents.map(parseContent);
}

/** Adds them around a point of the slide, on a plane, in one step; selected. */
export function paste(
  store: AnnotationStore,
  contents: readonly Content[],
  middle: readonly [number, number],
  z: number,
): void {
  const { minX, minY, maxX, maxY } = boxOf({ parts: contents.flatMap(({ shape }) => shape.parts) });
  const [dx, dy] = [hundredths(middle[0] - (minX + maxX) / 2), hundredths(middle[1] - (minY + maxY) / 2)];
  const placed = contents.map((content) => ({ ...content, z, shape: moved(content.shape, dx, dy) }));
  if (placed.length > 0) store.select(store.add(placed, z));
}
