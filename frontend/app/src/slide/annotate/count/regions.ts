/** The regions in which points are counted, by what the user has chosen. */
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { type Region, onSlide } from "@wavescope/viewer/annotate/count/totals";
import { KIND_NAMES } from "@wavescope/viewer/annotate/draw/labels";
import { isClosed } from "@wavescope/core/geometry/shape";
import type { Scope } from "./setup";
import { t } from "@wavescope/core/i18n/i18n";

export const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  slide: t("counting.scopeSlide"),
  view: t("counting.scopeView"),
  selection: t("counting.scopeSelection"),
  fields: t("counting.scopeFields"),
};

/** Null: the whole slide. */
export function regionsOf({ store, layer }: Annotations, scope: Scope): readonly Region[] | null {
  if (scope === "slide") return null;
  if (scope === "fields")
    return store.fields().map(({ content }) => ({ name: content.name || content.class, shape: content.shape }));
  if (scope === "selection")
    return store.state.getState().selected.flatMap((id) => {
      const content = store.get(id);
      if (!content || !isClosed(content.shape)) return [];
      return [{ name: content.name || content.class || KIND_NAMES[content.shape.kind], shape: content.shape }];
    });
  const { viewer, manifest } = layer.microscope;
  const { clientWidth, clientHeight } = viewer.canvas;
  const corners = [
    [0, 0],
    [clientWidth, 0],
    [clientWidth, clientHeight],
    [0, clientHeight],
  ] as const;
  const ring = corners.flatMap(([x, y]) => {
    const at = layer.slidePoint({ x, y });
    return [at.x, at.y];
  });
  const seen = onSlide(ring, manifest.width, manifest.height);
  return seen ? [{ name: SCOPE_NAMES.view, shape: seen }] : [];
}
