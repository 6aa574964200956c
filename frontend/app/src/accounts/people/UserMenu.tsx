import { ActionIcon, Alert, Button, Menu, Stack, Text } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { resetSecondFactor } from "@wavescope/core/wire/accounts/secondFactorClient";
import type { User } from "@wavescope/core/wire/accounts/usersClient";
import { UserNames } from "./UserNames";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

interface Props {
  readonly user: User;
  readonly onMustChange: () => void;
}

/** What an admin does rarely with an account. */
export function UserMenu({ user, onMustChange }: Props) {
  const [resetting, setResetting] = useState(false);
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t("accounts.actionsFor", { title: user.title })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setRenaming(true)}>{t("accounts.changeNames")}</Menu.Item>
          {!user.external && (
            <Menu.Item onClick={onMustChange}>
              {user.must_change ? t("accounts.doNotAskForNewPassword") : t("accounts.askForNewPassword")}
            </Menu.Item>
          )}
          {user.second_factor && (
            <Menu.Item onClick={() => setResetting(true)}>{t("accounts.resetSecondFactor")}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {renaming && <UserNames user={user} onClose={() => setRenaming(false)} />}
      <Dialog
        opened={resetting}
        onClose={() => setResetting(false)}
        title={t("accounts.resetSecondFactorOf", { title: user.title })}
      >
        <ResetSecondFactor user={user} onDone={() => setResetting(false)} />
      </Dialog>
    </>
  );
}

function ResetSecondFactor({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: () => resetSecondFactor(user.id),
    onSuccess: () => {
      onDone();
      return client.invalidateQueries({ queryKey: ["users"] });
    },
  });
  return (
    <Stack>
      <Text size="sm">{t("accounts.resetSecondFactorHint")}</Text>
      {reset.error && <Alert color="red">{explain(reset.error)}</Alert>}
      <Button color="red.9" loading={reset.isPending} onClick={() => reset.mutate()}>
        {t("accounts.resetSecondFactor")}
      </Button>
    </Stack>
  );
}
