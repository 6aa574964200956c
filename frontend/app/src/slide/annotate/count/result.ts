/** The result of a count, in words and as a table. Pure. */
import { decimal } from "@wavescope/core/geometry/figures";
import { type FieldSize, areaMm2, diameterUm } from "@wavescope/viewer/annotate/count/fields";
import { type Total, indexOf, per } from "@wavescope/viewer/annotate/count/totals";
import { t } from "@wavescope/core/i18n/i18n";
import type { Setup } from "./setup";

/** `0.2376`: four figures. */
export function figure(value: number): string {
  return decimal(Number(value.toPrecision(4)));
}

export function sizeLabel(size: FieldSize): string {
  return t("counting.fieldOf", { area: figure(areaMm2(size)), diameter: figure(diameterUm(size)) });
}

export function indexLabel({ counts }: Total): string | null {
  const index = indexOf(counts);
  if (!index) return null;
  const percent = (part: number): string => decimal((100 * part).toFixed(1));
  const { share, n, low, high } = index;
  return t("counting.index", { share: percent(share), n, low: percent(low), high: percent(high) });
}

/** The result as a table: its head, a row of texts for each class, and what stands below it. */
export interface ReportTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

/** For the panel and for the page of views; densities only where the area is known. */
export function reportOf({ classes, size, scope, index }: Setup, fields: number | null, total: Total): ReportTable {
  const { counts, mm2, overlapping } = total;
  const areas = mm2 === null ? [] : [1, areaMm2(size), 10 * areaMm2(size)];
  const heads = mm2 === null ? [] : [t("counting.perMm2"), t("counting.perField"), t("counting.perTen")];
  const rows = classes.map((name, i) => {
    const densities = areas.map((area) => per(area, counts[i]!, mm2));
    return [name, String(counts[i]), ...densities.map((one) => (one === null ? "–" : figure(one)))];
  });
  const share = index ? indexLabel(total) : null;
  const placed = scope === "fields" && fields !== null ? `${t("counting.fieldsPlaced", { count: fields })}. ` : "";
  const notes = [
    ...(share ? [share] : []),
    ...(fields !== null && mm2 !== null ? [`${placed}${t("counting.sum", { area: figure(mm2) })}`] : []),
    ...(overlapping ? [t("counting.overlapping")] : []),
  ];
  return { head: [t("counting.class"), t("counting.n"), ...heads], rows, notes };
}

/** One line for a report. */
export function resultLine({ classes, size, index }: Setup, scope: string, total: Total): string {
  const { counts, mm2, parts } = total;
  const area = mm2 === null ? scope : t("counting.scopeWithArea", { scope, area: figure(mm2) });
  const classLines = classes.map((name, i) => {
    const count = counts[i]!;
    const dense = per(1, count, mm2);
    if (dense === null) return `${name}: ${count}`;
    const values = { name, count, perMm2: figure(dense), perTen: figure(per(10 * areaMm2(size), count, mm2)!) };
    return t("counting.classLine", values);
  });
  const field = mm2 === null ? [] : [t("counting.fieldLine", { area: figure(areaMm2(size)) })];
  const share = index ? indexLabel(total) : null;
  const overlap = total.overlapping && parts.length > 1 ? [t("counting.overlapping")] : [];
  return [area, ...classLines, ...(share ? [share] : []), ...field, ...overlap].join("; ");
}

const COLUMNS = ["region", "class", "count", "area_mm2", "field_mm2", "per_mm2", "per_field", "per_10_fields"];

/** A row for each region and class, then the sums; texts that a spreadsheet would run begin with an apostrophe (AN19). */
export function resultTable({ classes, size }: Setup, scope: string, { counts, mm2, parts }: Total): string {
  const field = areaMm2(size);
  const cell = (value: string): string => {
    const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
  };
  const number = (value: number | null): string => (value === null ? "" : String(Number(value.toPrecision(12))));
  const rows = [...parts, { name: scope, counts, mm2 }].flatMap((part) =>
    classes.map((name, i) => {
      const count = part.counts[i]!;
      const densities = [1, field, 10 * field].map((area) => number(per(area, count, part.mm2)));
      return [cell(part.name), cell(name), String(count), number(part.mm2), number(field), ...densities];
    }),
  );
  return `\ufeff${[COLUMNS, ...rows].map((row) => `${row.join(",")}\r\n`).join("")}`;
}
