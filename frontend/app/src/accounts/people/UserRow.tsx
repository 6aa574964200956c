import { Anchor, Checkbox, Select, Switch, Table, Text } from "@mantine/core";
import { roleOf } from "@wavescope/core/wire/accounts/accountClient";
import type { User, UserChange } from "@wavescope/core/wire/accounts/usersClient";
import { ResetPassword } from "./ResetPassword";
import { UserMenu } from "./UserMenu";
import { ROLE_CHOICES } from "./roleChoices";
import { navigate } from "../../state/router";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly user: User;
  /** The id of who looks at it. */
  readonly own: string | undefined;
  readonly selected: boolean;
  readonly onSelect: (selected: boolean) => void;
  readonly onChange: (change: UserChange) => void;
}

/** An account: its names and role, whether it is let in, its password. */
export function UserRow({ user, own, selected, onSelect, onChange }: Props) {
  return (
    <Table.Tr data-testid="user">
      <Table.Td>
        <Checkbox
          aria-label={t("accounts.selectUser", { title: user.title })}
          checked={selected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td>{user.title}</Table.Td>
      <Table.Td>{user.external ? t("accounts.nameWithSingleSignOn", { name: user.name }) : user.name}</Table.Td>
      <Table.Td>
        <Select
          aria-label={t("accounts.roleOf", { title: user.title })}
          data={ROLE_CHOICES}
          value={user.role}
          allowDeselect={false}
          size="xs"
          w={150}
          onChange={(role) => onChange({ role: roleOf(role ?? user.role) })}
        />
      </Table.Td>
      <Table.Td>
        <Switch
          aria-label={t("accounts.allowSignIn", { title: user.title })}
          checked={!user.disabled}
          onChange={() => onChange({ disabled: !user.disabled })}
        />
      </Table.Td>
      <Table.Td>
        {!user.external && user.id !== own && <ResetPassword user={user} />}
        {!user.external && user.id === own && (
          <Anchor component="button" type="button" size="sm" onClick={() => navigate("/account")}>
            {t("accounts.changePassword")}
          </Anchor>
        )}
        {user.must_change && (
          <Text size="xs" c="dimmed" mt={4}>
            {t("accounts.notChangedYet")}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {!user.external && (user.second_factor ? t("accounts.secondFactorOn") : t("accounts.secondFactorOff"))}
      </Table.Td>
      <Table.Td>
        <UserMenu user={user} onMustChange={() => onChange({ must_change: !user.must_change })} />
      </Table.Td>
    </Table.Tr>
  );
}
