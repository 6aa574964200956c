import { Alert, Button, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { roleOf } from "@wavescope/core/wire/accounts/accountClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { type User, type UserChange, changeUser } from "@wavescope/core/wire/accounts/usersClient";
import { notify } from "../../ui/notice";
import { ROLE_CHOICES } from "./roleChoices";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly users: readonly User[];
  readonly onClear: () => void;
}

/** What is done with all selected accounts. */
export function BulkActions({ users, onClear }: Props) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (changed: UserChange) => changeAll(users, changed),
    onSuccess: (failed) => {
      if (failed.length < users.length) notify(t("accounts.changedFor", { count: users.length - failed.length }));
      return client.invalidateQueries({ queryKey: ["users"] });
    },
  });
  const failed = change.data ?? [];
  return (
    <Paper withBorder p="sm" component="section" aria-label={t("accounts.bulkActions")}>
      <Stack gap="xs">
        <Group gap="sm">
          <Text size="sm" fw={600} role="status">
            {t("accounts.usersSelected", { count: users.length })}
          </Text>
          <Select
            aria-label={t("accounts.setRole")}
            placeholder={t("accounts.setRole")}
            data={ROLE_CHOICES}
            value={null}
            size="xs"
            w={150}
            disabled={change.isPending}
            onChange={(role) => role && change.mutate({ role: roleOf(role) })}
          />
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ disabled: false })}
          >
            {t("accounts.letSignIn")}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ disabled: true })}
          >
            {t("accounts.blockSignIn")}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ must_change: true })}
          >
            {t("accounts.askForNewPassword")}
          </Button>
          <Button size="xs" variant="subtle" onClick={onClear}>
            {t("accounts.clearSelection")}
          </Button>
        </Group>
        {failed.length > 0 && (
          <Alert color="red" role="alert">
            {t("accounts.notChangedFor", {
              titles: failed.map(({ user }) => user.title).join(", "),
              reason: explain(failed[0]!.error),
            })}
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}

/** One after the other; those that could not be changed, with the reason. */
async function changeAll(
  users: readonly User[],
  changed: UserChange,
): Promise<readonly { readonly user: User; readonly error: unknown }[]> {
  const failed: { user: User; error: unknown }[] = [];
  for (const user of users)
    try {
      await changeUser(user.id, changed);
    } catch (error) {
      failed.push({ user, error });
    }
  return failed;
}
