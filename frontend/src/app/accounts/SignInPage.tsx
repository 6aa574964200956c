import {
  Alert,
  Button,
  Center,
  Divider,
  Group,
  Loader,
  Paper,
  PasswordInput,
  Stack,
  TextInput,
  Title,
} from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { signIn } from "../../wire/accounts/accountClient";
import { ProblemError } from "../../wire/http/errors";
import { explain } from "../../wire/http/explain";
import { Brand } from "../ui/Brand";
import { Refusal } from "../ui/Refusal";
import { WAITING } from "../ui/refusals";
import { navigate, useQueryParameter } from "../state/router";
import { NoAccounts } from "./RoleGate";
import { accountChanged, useAccountQuery } from "./account";
import { t } from "../../i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** Name and password, or the provider. */
export function SignInPage() {
  usePageTitle(t("accounts.signIn"));
  const { account, waiting } = useAccountQuery();
  const next = pageOf(useQueryParameter("next"));
  const failed = new URLSearchParams(location.search).get("failed") !== null;
  if (account?.mode !== "accounts") {
    return (
      <Center mih="100dvh" p="md" component="main">
        {account ? <NoAccounts /> : waiting ? <Refusal {...WAITING} /> : <Loader aria-label={t("common.loading")} />}
      </Center>
    );
  }
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w={400} maw="100%" data-testid="sign-in-page">
        <Stack>
          <Group gap="xs">
            <Brand size={28} />
            <Title order={1} size="h3">
              {t("accounts.signIn")}
            </Title>
          </Group>
          {failed && <Alert color="red">{t("accounts.singleSignOnRefused")}</Alert>}
          {account.provider && (
            <>
              <Button component="a" variant="default" href={`/api/v1/oidc/sign-in?${new URLSearchParams({ next })}`}>
                {t("accounts.signInWith", { provider: account.provider })}
              </Button>
              <Divider label={t("accounts.or")} />
            </>
          )}
          <PasswordForm next={next} />
        </Stack>
      </Paper>
    </Center>
  );
}

function PasswordForm({ next }: { readonly next: string }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [chosen, setChosen] = useState("");
  const client = useQueryClient();
  const enter = useMutation({
    mutationFn: () => signIn(name, password, chosen),
    onSuccess: async () => {
      await accountChanged(client);
      navigate(next, {}, { replace: true });
    },
  });
  const first = chosen !== "" || mustChange(enter.error);
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    enter.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t("common.name")}
          autoComplete="username"
          autoCapitalize="none"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoFocus
        />
        <PasswordInput
          label={t("accounts.password")}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ "aria-label": t("accounts.showPassword") }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {first && <NewPassword value={chosen} onChange={setChosen} />}
        {enter.error && (
          <Alert color={mustChange(enter.error) ? "blue" : "red"} role="alert">
            {explain(enter.error)}
          </Alert>
        )}
        <Button type="submit" disabled={!name || !password || (first && chosen.length < 10)} loading={enter.isPending}>
          {t("accounts.signIn")}
        </Button>
      </Stack>
    </form>
  );
}

/** Replaces a password that was given for the first sign-in (AC51). */
function NewPassword({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  return (
    <PasswordInput
      label={t("accounts.newPassword")}
      description={t("accounts.passwordHint")}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ "aria-label": t("accounts.showPassword") }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Whether the password was right, and another one must be chosen. */
export function mustChange(error: unknown): boolean {
  return error instanceof ProblemError && error.problem === "password-change-required";
}

/** Where to go after signing in: a page of ours, never another site. */
function pageOf(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : "/";
}
