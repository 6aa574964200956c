import { Alert, Button, Checkbox, Paper, PasswordInput, Stack, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changePassword } from "@wavescope/core/wire/accounts/accountClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { endedLabel } from "./ended";
import { CodeInput } from "./secondFactor/CodeInput";
import { useSecondFactor } from "./secondFactor/useSecondFactor";
import { t } from "@wavescope/core/i18n/i18n";

const SHOW = { "aria-label": t("accounts.showPassword") };

/** Changes one's own password and says what that has ended. */
export function PasswordForm() {
  const [old, setOld] = useState("");
  const [given, setGiven] = useState("");
  const [keepTokens, setKeepTokens] = useState(false);
  const [code, setCode] = useState("");
  const withCode = useSecondFactor()?.active === true;
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => changePassword(old, given, keepTokens, code),
    onSuccess: () => {
      setOld("");
      setGiven("");
      setCode("");
      return client.invalidateQueries({ queryKey: ["tokens"] });
    },
  });
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit}>
      <Stack>
        <Title order={3} size="h5">
          {t("accounts.password")}
        </Title>
        <PasswordInput
          label={t("accounts.currentPassword")}
          autoComplete="current-password"
          visibilityToggleButtonProps={SHOW}
          value={old}
          onChange={(event) => setOld(event.currentTarget.value)}
        />
        <PasswordInput
          label={t("accounts.newPassword")}
          description={t("accounts.passwordHint")}
          autoComplete="new-password"
          visibilityToggleButtonProps={SHOW}
          value={given}
          onChange={(event) => setGiven(event.currentTarget.value)}
        />
        {withCode && <CodeInput value={code} onChange={setCode} />}
        <Checkbox
          label={t("accounts.keepMyTokens")}
          description={t("accounts.keepMyTokensHint")}
          checked={keepTokens}
          onChange={(event) => setKeepTokens(event.currentTarget.checked)}
        />
        {change.error && <Alert color="red">{explain(change.error)}</Alert>}
        {change.data && (
          <Alert color="green" title={t("accounts.passwordChanged")}>
            {endedLabel(change.data)}
          </Alert>
        )}
        <Button
          type="submit"
          disabled={!old || given.length < 10 || (withCode && code.trim() === "")}
          loading={change.isPending}
          style={{ alignSelf: "flex-start" }}
        >
          {t("accounts.changePassword")}
        </Button>
      </Stack>
    </Paper>
  );
}
