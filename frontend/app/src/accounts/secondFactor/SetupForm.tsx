import { ActionIcon, Alert, Button, CopyButton, Group, Stack, Text, Textarea } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import type { Setup } from "@wavescope/core/wire/accounts/secondFactorClient";
import { QrPicture } from "../../ui/QrPicture";
import { CodeInput } from "./CodeInput";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly setup: Setup;
  readonly error: unknown;
  readonly loading: boolean;
  readonly onConfirm: (code: string) => void;
}

/** The secret for an authenticator app, and the first code of it. */
export function SetupForm({ setup, error, loading, onConfirm }: Props) {
  const [code, setCode] = useState("");
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    onConfirm(code);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t("accounts.scanCode")}</Text>
        <Group justify="center">
          <QrPicture text={setup.uri} label={t("accounts.scanCode")} />
        </Group>
        <Group align="flex-end" wrap="nowrap" gap="xs">
          <Textarea
            label={t("accounts.orTypeSecret")}
            aria-label={t("accounts.key")}
            readOnly
            autosize
            flex={1}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            value={grouped(setup.secret)}
          />
          <CopyButton value={setup.secret}>
            {({ copied, copy }) => (
              <ActionIcon
                variant="default"
                size={36}
                onClick={copy}
                aria-label={copied ? t("common.copied") : t("accounts.copyKey")}
              >
                {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              </ActionIcon>
            )}
          </CopyButton>
        </Group>
        <CodeInput value={code} onChange={setCode} appOnly autoFocus />
        {error !== null && (
          <Alert color="red" role="alert">
            {explain(error)}
          </Alert>
        )}
        <Button type="submit" disabled={code.trim() === ""} loading={loading}>
          {t("accounts.confirm")}
        </Button>
      </Stack>
    </form>
  );
}

/** In groups of four, as people read and type it. */
export function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, "$1 ");
}
