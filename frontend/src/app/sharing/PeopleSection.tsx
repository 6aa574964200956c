import { ActionIcon, Group, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconUser, IconUsers, IconX } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { findPeople } from "../../wire/accounts/usersClient";
import type { Right, Share, Sharing } from "../../wire/accounts/sharingClient";
import { t } from "../../i18n/i18n";

export const RIGHTS = [
  { value: "view", label: t("sharing.canView") },
  { value: "annotate", label: t("sharing.canAnnotate") },
];

interface Props {
  readonly sharing: Sharing;
  readonly saving: boolean;
  readonly onChange: (shares: readonly Share[]) => void;
}

/** Users and groups with their rights. */
export function PeopleSection({ sharing, saving, onChange }: Props) {
  const { shares, owner } = sharing;
  const change = (one: Share, right: Right): void =>
    onChange(shares.map((other) => (other === one ? { ...other, right } : other)));
  return (
    <Stack gap="xs" data-testid="shares">
      <PersonSearch
        taken={[...shares.map((one) => one.id), owner?.id ?? ""]}
        onAdd={(one) => onChange([...shares, one])}
      />
      {shares.map((one) => (
        <Group key={`${one.kind} ${one.id}`} wrap="nowrap" gap="xs" data-testid="share">
          {one.kind === "group" ? (
            <IconUsers size={16} aria-label={t("sharing.group")} />
          ) : (
            <IconUser size={16} aria-label={t("sharing.person")} />
          )}
          <Text size="sm" truncate flex={1}>
            {one.title}
          </Text>
          <Select
            aria-label={t("sharing.accessOf", { title: one.title })}
            data={RIGHTS}
            value={one.right}
            onChange={(right) => change(one, right === "annotate" ? "annotate" : "view")}
            disabled={saving}
            allowDeselect={false}
            size="xs"
            w={140}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("sharing.removeAccess", { title: one.title })}
            disabled={saving}
            onClick={() => onChange(shares.filter((other) => other !== one))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}

interface SearchProps {
  readonly taken: readonly string[];
  readonly onAdd: (share: Share) => void;
}

function PersonSearch({ taken, onAdd }: SearchProps) {
  const [search, setSearch] = useState("");
  const [asked] = useDebouncedValue(search.trim(), 200);
  const found = useQuery({
    queryKey: ["people", asked],
    queryFn: ({ signal }) => findPeople(asked, signal),
    placeholderData: keepPreviousData,
  }).data;
  const choices: Share[] = [
    ...(found?.users ?? []).map((one) => ({
      kind: "user" as const,
      id: one.id,
      title: one.title,
      right: "view" as const,
    })),
    ...(found?.groups ?? []).map((one) => ({
      kind: "group" as const,
      id: one.id,
      title: one.title,
      right: "view" as const,
    })),
  ].filter((one) => !taken.includes(one.id));
  const data = choices.map((one) => ({
    value: one.id,
    label: one.kind === "group" ? t("sharing.groupNamed", { name: one.title }) : one.title,
  }));
  const add = (id: string | null): void => {
    const chosen = choices.find((one) => one.id === id);
    if (chosen) onAdd(chosen);
    setSearch("");
  };
  return (
    <Select
      label={t("sharing.peopleAndGroups")}
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
