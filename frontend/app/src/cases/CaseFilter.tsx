import { Group, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { Case } from "@wavescope/core/wire/catalog/casesClient";
import { SortSelect } from "../ui/SortSelect";
import { useListFilter } from "../state/listFilter";
import { useTyped } from "../ui/useTyped";
import { KIND_NAMES } from "./kinds";
import { t } from "@wavescope/core/i18n/i18n";

/** What is shown of a case's slides, and in which order; stored in the address. */
export function CaseFilter({ kind }: Pick<Case, "kind">) {
  const { filter, narrow } = useListFilter();
  const [search, setSearch] = useTyped(filter.search, (text) => narrow({ search: text }, true));
  const name = KIND_NAMES[kind];
  const label = t("cases.searchIn", { kind: name });
  return (
    <Group mb="md" gap="sm">
      <TextInput
        type="search"
        size="xs"
        w={240}
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={14} />}
        value={search}
        maxLength={200}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <SortSelect
        own={{ name: t("cases.inItsOrder", { kind: name }) }}
        value={filter.sort}
        onChange={(sort) => narrow({ sort })}
      />
    </Group>
  );
}
