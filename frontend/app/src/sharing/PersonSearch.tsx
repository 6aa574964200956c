import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Share } from "@wavescope/core/wire/accounts/sharingClient";
import { findPeople } from "@wavescope/core/wire/accounts/usersClient";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly label: string;
  readonly excluded: readonly string[];
  readonly onAdd: (share: Share) => void;
  /** Whether groups are offered, too. */
  readonly groups?: boolean;
}

/** Finds users, and groups, by name. */
export function PersonSearch({ label, excluded, onAdd, groups = true }: Props) {
  const [search, setSearch] = useState("");
  const [debouncedSearch] = useDebouncedValue(search.trim(), 200);
  const found = useQuery({
    queryKey: ["people", debouncedSearch],
    queryFn: ({ signal }) => findPeople(debouncedSearch, signal),
    placeholderData: keepPreviousData,
  }).data;
  const choices: Share[] = [
    ...(found?.users ?? []).map((user) => ({
      kind: "user" as const,
      id: user.id,
      title: user.title,
      right: "view" as const,
    })),
    ...((groups && found?.groups) || []).map((group) => ({
      kind: "group" as const,
      id: group.id,
      title: group.title,
      right: "view" as const,
    })),
  ].filter((choice) => !excluded.includes(choice.id));
  const data = choices.map((choice) => ({
    value: choice.id,
    label: choice.kind === "group" ? t("sharing.groupNamed", { name: choice.title }) : choice.title,
  }));
  const add = (id: string | null): void => {
    const chosen = choices.find((choice) => choice.id === id);
    if (chosen) onAdd(chosen);
    setSearch("");
  };
  return (
    <Select
      label={label}
      placeholder={t("sharing.addByName")}
      searchable
      data={data}
      value={null}
      searchValue={search}
      onSearchChange={setSearch}
      onChange={add}
      nothingFoundMessage={t("sharing.nobodyFound")}
    />
  );
}
