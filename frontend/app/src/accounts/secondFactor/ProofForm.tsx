import { Alert, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import type { Proof } from "@wavescope/core/wire/accounts/secondFactorClient";
import { CodeInput } from "./CodeInput";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly hint?: string;
  /** Whether there is a second factor, so that a code is needed. */
  readonly withCode: boolean;
  readonly label: string;
  readonly error: unknown;
  readonly loading: boolean;
  readonly onProof: (proof: Proof) => void;
}

/** The password, and a code where there is a second factor. */
export function ProofForm({ hint, withCode, label, error, loading, onProof }: Props) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    onProof({ password, code });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {hint !== undefined && <Text size="sm">{hint}</Text>}
        <PasswordInput
          label={t("accounts.currentPassword")}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ "aria-label": t("accounts.showPassword") }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus
        />
        {withCode && <CodeInput value={code} onChange={setCode} />}
        {error !== null && (
          <Alert color="red" role="alert">
            {explain(error)}
          </Alert>
        )}
        <Button type="submit" disabled={!password || (withCode && code.trim() === "")} loading={loading}>
          {label}
        </Button>
      </Stack>
    </form>
  );
}
