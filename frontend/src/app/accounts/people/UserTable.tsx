import { Alert, Button, Group, PasswordInput, Select, Stack, Switch, Table, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ROLES, type Role, roleOf } from "../../../wire/accounts/accountClient";
import { explain } from "../../../wire/http/explain";
import { type User, changeUser, createUser } from "../../../wire/accounts/usersClient";
import { ROLE_NAMES } from "../../ui/roles";
import { ResetPassword } from "./ResetPassword";
import { t } from "../../../i18n/i18n";

const ROLE_CHOICES = ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }));

/** Every account: its role, whether it is let in; and new ones. */
export function UserTable({ users }: { readonly users: readonly User[] }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ id, ...changed }: { id: string; role?: Role; disabled?: boolean }) => changeUser(id, changed),
    onSettled: () => client.invalidateQueries({ queryKey: ["users"] }),
  });
  return (
    <Stack>
      <Title order={2} size="h4">
        {t("accounts.users")}
      </Title>
      {change.error && <Alert color="red">{explain(change.error)}</Alert>}
      <Table.ScrollContainer minWidth={640}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("common.name")}</Table.Th>
              <Table.Th>{t("accounts.signInName")}</Table.Th>
              <Table.Th>{t("accounts.role")}</Table.Th>
              <Table.Th>{t("accounts.canSignIn")}</Table.Th>
              <Table.Th>{t("accounts.password")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {users.map((user) => (
              <Table.Tr key={user.id} data-testid="user">
                <Table.Td>{user.title}</Table.Td>
                <Table.Td>
                  {user.external ? t("accounts.nameWithSingleSignOn", { name: user.name }) : user.name}
                </Table.Td>
                <Table.Td>
                  <Select
                    aria-label={t("accounts.roleOf", { title: user.title })}
                    data={ROLE_CHOICES}
                    value={user.role}
                    allowDeselect={false}
                    size="xs"
                    w={130}
                    onChange={(role) => change.mutate({ id: user.id, role: roleOf(role ?? user.role) })}
                  />
                </Table.Td>
                <Table.Td>
                  <Switch
                    aria-label={t("accounts.allowSignIn", { title: user.title })}
                    checked={!user.disabled}
                    onChange={() => change.mutate({ id: user.id, disabled: !user.disabled })}
                  />
                </Table.Td>
                <Table.Td>{!user.external && <ResetPassword user={user} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <NewUser />
    </Stack>
  );
}

function NewUser() {
  const empty = { name: "", title: "", role: "viewer" as Role, password: "" };
  const [user, setUser] = useState(empty);
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => createUser(user),
    onSuccess: () => {
      setUser(empty);
      return client.invalidateQueries({ queryKey: ["users"] });
    },
  });
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Title order={3} size="h6" mb="xs">
        {t("accounts.newUser")}
      </Title>
      <Group align="flex-end">
        <TextInput
          label={t("accounts.signInName")}
          autoComplete="off"
          value={user.name}
          maxLength={64}
          onChange={(event) => setUser({ ...user, name: event.currentTarget.value })}
        />
        <TextInput
          label={t("common.name")}
          autoComplete="off"
          value={user.title}
          maxLength={200}
          onChange={(event) => setUser({ ...user, title: event.currentTarget.value })}
        />
        <Select
          label={t("accounts.role")}
          data={ROLE_CHOICES}
          value={user.role}
          allowDeselect={false}
          w={130}
          onChange={(role) => setUser({ ...user, role: roleOf(role ?? "") })}
        />
        <PasswordInput
          label={t("accounts.firstPassword")}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": t("accounts.showPassword") }}
          value={user.password}
          miw={160}
          onChange={(event) => setUser({ ...user, password: event.currentTarget.value })}
        />
        <Button type="submit" disabled={!user.name.trim() || user.password.length < 10} loading={make.isPending}>
          {t("common.add")}
        </Button>
      </Group>
      {make.error && (
        <Alert color="red" mt="sm">
          {explain(make.error)}
        </Alert>
      )}
    </form>
  );
}
