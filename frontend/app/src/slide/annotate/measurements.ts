/** A table of what annotations measure, for the page of views (page.md, PG74). Pure. */
import type { Mpp } from "@wavescope/core/geometry/measure";
import { t } from "@wavescope/core/i18n/i18n";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { KIND_NAMES, measureLabels } from "@wavescope/viewer/annotate/draw/labels";

export interface MeasurementTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

export const MAX_ROWS = 24; // that fit on a sheet

/** Those of the annotations that measure something, numbered, the first 24. */
export function measurementTable(contents: Iterable<Content>, mpp: Mpp | null): MeasurementTable {
  const measured = [...contents].flatMap((content) => {
    const labels = measureLabels(content.shape, mpp);
    return labels.length > 0 ? [{ content, labels }] : [];
  });
  const rows = measured.slice(0, MAX_ROWS).map(({ content, labels }, i) => {
    const name = content.name || KIND_NAMES[content.shape.kind];
    return [`${i + 1} ${name}`, content.class, labels.join(" · ")];
  });
  const left = measured.length - rows.length;
  const notes = left > 0 ? [t("annotate.moreMeasurements", { count: left })] : [];
  return { head: [t("annotate.annotation"), t("annotate.class"), t("annotate.measurements")], rows, notes };
}
