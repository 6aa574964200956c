import { Alert, Group, Select, Stack, Switch, Table, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { roleOf } from "../../../wire/accounts/accountClient";
import { explain } from "../../../wire/http/explain";
import { type User, type UserChange, changeUser } from "../../../wire/accounts/usersClient";
import { NewUser } from "./NewUser";
import { ResetPassword } from "./ResetPassword";
import { UserImport } from "./UserImport";
import { UserMenu } from "./UserMenu";
import { ROLE_CHOICES } from "./roleChoices";
import { t } from "../../../i18n/i18n";

/** Every account: its role, whether it is let in; and new ones. */
export function UserTable({ users }: { readonly users: readonly User[] }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ id, ...changed }: { id: string } & UserChange) => changeUser(id, changed),
    onSettled: () => client.invalidateQueries({ queryKey: ["users"] }),
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t("accounts.users")}
        </Title>
        <UserImport />
      </Group>
      {change.error && <Alert color="red">{explain(change.error)}</Alert>}
      <Table.ScrollContainer minWidth={800}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("common.name")}</Table.Th>
              <Table.Th>{t("accounts.signInName")}</Table.Th>
              <Table.Th>{t("accounts.role")}</Table.Th>
              <Table.Th>{t("accounts.canSignIn")}</Table.Th>
              <Table.Th>{t("accounts.password")}</Table.Th>
              <Table.Th>{t("accounts.secondFactor")}</Table.Th>
              <Table.Td />
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
                <Table.Td>
                  {!user.external && <ResetPassword user={user} />}
                  {user.must_change && (
                    <Text size="xs" c="dimmed" mt={4}>
                      {t("accounts.notChangedYet")}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  {!user.external &&
                    (user.second_factor ? t("accounts.secondFactorOn") : t("accounts.secondFactorOff"))}
                </Table.Td>
                <Table.Td>
                  {!user.external && (
                    <UserMenu
                      user={user}
                      onMustChange={() => change.mutate({ id: user.id, must_change: !user.must_change })}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <NewUser />
    </Stack>
  );
}
