import { Alert, Button, Checkbox, Group, PasswordInput, Select, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Role, roleOf } from "@wavescope/core/wire/accounts/accountClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { createUser } from "@wavescope/core/wire/accounts/usersClient";
import { ROLE_CHOICES } from "./roleChoices";
import { t } from "@wavescope/core/i18n/i18n";

/** The form for a new account. */
export function NewUser() {
  const empty = { name: "", title: "", role: "viewer" as Role, password: "", mustChange: true };
  const [user, setUser] = useState(empty);
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => createUser(user),
    onSuccess: () => {
      setUser(empty);
      return client.invalidateQueries({ queryKey: ["users"] });
    },
  });
  const submit = (event: React.SubmitEvent): void => {
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
          w={150}
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
        <Checkbox
          label={t("accounts.mustChangeFirst")}
          checked={user.mustChange}
          mb={8}
          onChange={(event) => setUser({ ...user, mustChange: event.currentTarget.checked })}
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
