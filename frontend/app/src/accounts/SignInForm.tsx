import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { signIn } from "@wavescope/core/wire/accounts/accountClient";
import { beginRequiredSecondFactor } from "@wavescope/core/wire/accounts/secondFactorClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { navigate } from "../state/router";
import { accountChanged } from "./account";
import { CodeInput } from "./secondFactor/CodeInput";
import { RecoveryCodes } from "./secondFactor/RecoveryCodes";
import { SetupForm } from "./secondFactor/SetupForm";
import { type SignInStep, stepOf } from "./signInSteps";
import { t } from "@wavescope/core/i18n/i18n";

const EMPTY = { name: "", password: "", newPassword: "", code: "" };
const BUTTON: Readonly<Record<SignInStep, string>> = {
  password: t("accounts.signIn"),
  "new-password": t("accounts.signIn"),
  code: t("accounts.signIn"),
  "set-up": t("accounts.setUpSecondFactor"),
};

/** Name and password; then, where the service asks for it, a new password, a code, or the set-up of a second factor. */
export function SignInForm({ next }: { readonly next: string }) {
  const [given, setGiven] = useState(EMPTY);
  const [step, setStep] = useState<SignInStep>("password");
  const client = useQueryClient();
  const change = (part: Partial<typeof EMPTY>): void => setGiven({ ...given, ...part });
  const finish = async (): Promise<void> => {
    await accountChanged(client);
    navigate(next, {}, { replace: true });
  };
  const enter = useMutation({
    mutationFn: (code: string) => signIn(given.name, given.password, { newPassword: given.newPassword, code }),
    onSuccess: (codes) => (codes ? undefined : finish()),
    onError: (error) => setStep(stepOf(error) ?? step),
  });
  const begin = useMutation({ mutationFn: () => beginRequiredSecondFactor(given.name, given.password) });
  const back = (): void => {
    setGiven({ ...EMPTY, name: given.name });
    setStep("password");
    enter.reset();
    begin.reset();
  };
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    if (step === "set-up") begin.mutate();
    else enter.mutate(given.code);
  };
  if (enter.data) return <RecoveryCodes codes={enter.data} onDone={() => void finish()} />;
  if (begin.data) {
    const rejected = stepOf(enter.error) ? null : enter.error;
    return <SetupForm setup={begin.data} error={rejected} loading={enter.isPending} onConfirm={enter.mutate} />;
  }
  const error = begin.error ?? (stepOf(enter.error) === "new-password" || !stepOf(enter.error) ? enter.error : null);
  return (
    <form onSubmit={submit}>
      <Stack>
        {step === "password" || step === "new-password" ? (
          <PasswordStep step={step} given={given} onChange={change} />
        ) : step === "code" ? (
          <CodeInput value={given.code} onChange={(code) => change({ code })} autoFocus />
        ) : (
          <Text size="sm">{t("accounts.setupRequired")}</Text>
        )}
        {error && (
          <Alert color={stepOf(error) ? "blue" : "red"} role="alert">
            {explain(error)}
          </Alert>
        )}
        <Button type="submit" disabled={!complete(step, given)} loading={enter.isPending || begin.isPending}>
          {BUTTON[step]}
        </Button>
        {step !== "password" && (
          <Anchor component="button" type="button" size="sm" onClick={back}>
            {t("accounts.back")}
          </Anchor>
        )}
      </Stack>
    </form>
  );
}

interface PasswordStepProps {
  readonly step: SignInStep;
  readonly given: typeof EMPTY;
  readonly onChange: (part: Partial<typeof EMPTY>) => void;
}

/** Name and password; a new one replaces a password given for the first sign-in (AC51). */
function PasswordStep({ step, given, onChange }: PasswordStepProps) {
  const toggle = { "aria-label": t("accounts.showPassword") };
  return (
    <>
      <TextInput
        label={t("common.name")}
        autoComplete="username"
        autoCapitalize="none"
        value={given.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        autoFocus
      />
      <PasswordInput
        label={t("accounts.password")}
        autoComplete="current-password"
        visibilityToggleButtonProps={toggle}
        value={given.password}
        onChange={(event) => onChange({ password: event.currentTarget.value })}
      />
      {step === "new-password" && (
        <PasswordInput
          label={t("accounts.newPassword")}
          description={t("accounts.passwordHint")}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
          value={given.newPassword}
          onChange={(event) => onChange({ newPassword: event.currentTarget.value })}
        />
      )}
    </>
  );
}

function complete(step: SignInStep, given: typeof EMPTY): boolean {
  if (step === "code") return given.code.trim() !== "";
  return given.name !== "" && given.password !== "" && (step !== "new-password" || given.newPassword.length >= 10);
}
