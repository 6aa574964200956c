import { Alert, Button, Checkbox, PasswordInput, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { type User, resetPassword } from "@wavescope/core/wire/accounts/usersClient";
import { endedLabel } from "../ended";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

/** Gives an account another password and says what that has ended. */
export function ResetPassword({ user }: { readonly user: User }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t("accounts.resetPasswordOf", { title: user.title })}
        onClick={() => setOpen(true)}
      >
        {t("accounts.resetPassword")}
      </Button>
      <Dialog opened={open} onClose={() => setOpen(false)} title={t("accounts.resetPasswordOf", { title: user.title })}>
        <ResetForm user={user} />
      </Dialog>
    </>
  );
}

function ResetForm({ user }: { readonly user: User }) {
  const [password, setPassword] = useState("");
  const [keepTokens, setKeepTokens] = useState(false);
  const [mustChange, setMustChange] = useState(true);
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: () => resetPassword(user.id, password, keepTokens, mustChange),
    onSuccess: () => {
      setPassword("");
      return client.invalidateQueries({ queryKey: ["users"] });
    },
  });
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    reset.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label={t("accounts.newPassword")}
          description={t("accounts.passwordHintFor", { title: user.title })}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": t("accounts.showPassword") }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Checkbox
          label={t("accounts.mustChange")}
          description={t("accounts.mustChangeHint")}
          checked={mustChange}
          onChange={(event) => setMustChange(event.currentTarget.checked)}
        />
        <Checkbox
          label={t("accounts.keepTokens")}
          description={t("accounts.keepTokensHint")}
          checked={keepTokens}
          onChange={(event) => setKeepTokens(event.currentTarget.checked)}
        />
        {reset.error && <Alert color="red">{explain(reset.error)}</Alert>}
        {reset.data && (
          <Alert color="green" title={t("accounts.passwordChanged")}>
            {endedLabel(reset.data)}
          </Alert>
        )}
        <Button
          type="submit"
          disabled={password.length < 10}
          loading={reset.isPending}
          style={{ alignSelf: "flex-start" }}
        >
          {t("accounts.resetPassword")}
        </Button>
      </Stack>
    </form>
  );
}
