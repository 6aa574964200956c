import { NativeSelect } from "@mantine/core";
import { type NamedSort, SORTS, type Sort, isSort } from "@wavescope/core/wire/catalog/sort";
import { t } from "@wavescope/core/i18n/i18n";

const NAMES: Readonly<Record<NamedSort, string>> = {
  newest: t("ui.newestFirst"),
  oldest: t("ui.oldestFirst"),
  title: t("ui.byTitle"),
};

interface Props {
  /** The list's own order: one of the others, or what that order is called. */
  readonly own: Sort | { readonly name: string };
  readonly value: Sort | null;
  readonly onChange: (sort: Sort | null) => void;
}

/** In which order slides are listed. */
export function SortSelect({ own, value, onChange }: Props) {
  const data: { value: string; label: string }[] = SORTS.map((sort) => ({
    value: sort === own ? "" : sort,
    label: NAMES[sort],
  }));
  if (typeof own === "object") data.unshift({ value: "", label: own.name });
  if (value !== null && !SORTS.some((sort) => sort === value))
    data.push({ value, label: t("ui.byColumn", { name: value.replace(/^-?(tag\.)?/, "") }) });
  return (
    <NativeSelect
      aria-label={t("ui.sort")}
      size="xs"
      data={data}
      value={value === own ? "" : (value ?? "")}
      onChange={({ currentTarget }) => onChange(isSort(currentTarget.value) ? currentTarget.value : null)}
    />
  );
}
