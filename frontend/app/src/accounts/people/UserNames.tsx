import { Alert, Button, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { type User, changeUser } from "@wavescope/core/wire/accounts/usersClient";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

/** Corrects the names of an account. */
export function UserNames({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const [name, setName] = useState(user.name);
  const [title, setTitle] = useState(user.title);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => changeUser(user.id, { name: name.trim(), title: title.trim() }),
    onSuccess: () => {
      onClose();
      return client.invalidateQueries({ queryKey: ["users"] });
    },
  });
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog opened onClose={onClose} title={t("accounts.changeNamesOf", { title: user.title })}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t("common.name")}
            description={t("accounts.titleHint")}
            value={title}
            maxLength={200}
            data-autofocus
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <TextInput
            label={t("accounts.signInName")}
            description={t("accounts.signInNameHint")}
            autoComplete="off"
            value={name}
            maxLength={64}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {save.error && <Alert color="red">{explain(save.error)}</Alert>}
          <Button type="submit" disabled={!name.trim() || !title.trim()} loading={save.isPending}>
            {t("common.save")}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
