import { Alert, Checkbox, Group, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { type User, type UserChange, changeUser } from "@wavescope/core/wire/accounts/usersClient";
import { BulkActions } from "./BulkActions";
import { NewUser } from "./NewUser";
import { UserImport } from "./UserImport";
import { UserRow } from "./UserRow";
import { foundUsers } from "./foundUsers";
import { useAccount } from "../account";
import { t } from "@wavescope/core/i18n/i18n";

const COLUMNS = [
  t("common.name"),
  t("accounts.signInName"),
  t("accounts.role"),
  t("accounts.canSignIn"),
  t("accounts.password"),
  t("accounts.secondFactor"),
];

/** Every account, searched by names; several are changed together; and new ones. */
export function UserTable({ users }: { readonly users: readonly User[] }) {
  const client = useQueryClient();
  const own = useAccount()?.user?.id;
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const change = useMutation({
    mutationFn: ({ id, ...changed }: { id: string } & UserChange) => changeUser(id, changed),
    onSettled: () => client.invalidateQueries({ queryKey: ["users"] }),
  });
  const found = foundUsers(users, search);
  const selected = users.filter(({ id }) => chosen.has(id));
  const select = (ids: readonly string[], on: boolean): void =>
    setChosen(new Set(on ? [...chosen, ...ids] : [...chosen].filter((id) => !ids.includes(id))));
  const all = found.length > 0 && found.every(({ id }) => chosen.has(id));
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t("accounts.users")}
        </Title>
        <UserImport />
      </Group>
      <TextInput
        aria-label={t("accounts.searchUsers")}
        placeholder={t("accounts.searchUsers")}
        type="search"
        leftSection={<IconSearch size={16} />}
        maw={360}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {change.error && <Alert color="red">{explain(change.error)}</Alert>}
      {selected.length > 0 && <BulkActions users={selected} onClear={() => setChosen(new Set())} />}
      <Table.ScrollContainer minWidth={760}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={40}>
                <Checkbox
                  aria-label={t("accounts.selectAllShown")}
                  checked={all}
                  indeterminate={!all && found.some(({ id }) => chosen.has(id))}
                  onChange={() =>
                    select(
                      found.map(({ id }) => id),
                      !all,
                    )
                  }
                />
              </Table.Th>
              {COLUMNS.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                own={own}
                selected={chosen.has(user.id)}
                onSelect={(on) => select([user.id], on)}
                onChange={(changed) => change.mutate({ id: user.id, ...changed })}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {found.length === 0 && <Text c="dimmed">{t("accounts.noUserFound")}</Text>}
      <NewUser />
    </Stack>
  );
}
