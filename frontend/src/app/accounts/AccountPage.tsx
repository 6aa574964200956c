import {
  ActionIcon,
  Alert,
  Button,
  CopyButton,
  Group,
  Paper,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createToken, listTokens, revokeToken } from "../../wire/accounts/accountClient";
import { explain } from "../../wire/http/errors";
import { PageHeader } from "./PageHeader";
import styles from "../ui/page.module.css";
import { dateLabel } from "../ui/dates";
import { PasswordForm } from "./PasswordForm";
import { RoleGate } from "./RoleGate";
import { useAccount } from "./account";

const LIVES = [
  { value: "30", label: "for 30 days" },
  { value: "90", label: "for 90 days" },
  { value: "365", label: "for a year" },
  { value: "", label: "until it is revoked" },
];

/** One's own password and tokens. */
export function AccountPage() {
  useDocumentTitle("Account – Wavescope");
  const account = useAccount();
  return (
    <div className={styles.page} data-testid="account-page">
      <PageHeader title="Account" />
      <main className={styles.main}>
        <RoleGate least="viewer" name="your account" accountsOnly>
          {account?.user && (
            <Stack maw={640}>
              <Title order={2} size="h4">
                {account.user.title} ({account.user.name}, {account.user.role})
              </Title>
              {account.user.password && <PasswordForm />}
              <Tokens />
            </Stack>
          )}
        </RoleGate>
      </main>
    </div>
  );
}

function Tokens() {
  const [title, setTitle] = useState("");
  const [days, setDays] = useState("90");
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ["tokens"] });
  const tokens = useQuery({ queryKey: ["tokens"], queryFn: ({ signal }) => listTokens(signal) });
  const make = useMutation({
    mutationFn: () => createToken(title, days === "" ? null : Number(days)),
    onSuccess: refresh,
  });
  const revoke = useMutation({ mutationFn: revokeToken, onSuccess: refresh });
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={3} size="h5">
          Tokens for scripts
        </Title>
        <Group component="form" align="flex-end" onSubmit={submit}>
          <TextInput
            label="What it is for"
            value={title}
            maxLength={200}
            flex={1}
            miw={160}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Select
            aria-label="For how long"
            data={LIVES}
            value={days}
            allowDeselect={false}
            w={170}
            onChange={(value) => setDays(value ?? "")}
          />
          <Button type="submit" disabled={!title.trim()} loading={make.isPending}>
            Make a token
          </Button>
        </Group>
        {(make.error ?? revoke.error ?? tokens.error) && (
          <Alert color="red">{explain(make.error ?? revoke.error ?? tokens.error)}</Alert>
        )}
        {make.data && <MadeToken token={make.data} />}
        {tokens.data?.map((token) => (
          <Group key={token.id} wrap="nowrap" data-testid="token">
            <Text size="sm" flex={1}>
              {[
                token.title,
                token.expires ? `until ${dateLabel(token.expires, "day")}` : "until it is revoked",
                token.used ? `last used ${dateLabel(token.used, "day")}` : "never used",
              ].join(" · ")}
            </Text>
            <Button variant="default" size="compact-sm" onClick={() => revoke.mutate(token.id)}>
              Revoke
            </Button>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

function MadeToken({ token }: { readonly token: string }) {
  return (
    <Alert color="blue" title="Copy it now: it is shown this once">
      <Group wrap="nowrap" gap="xs">
        <TextInput readOnly flex={1} value={token} aria-label="The token" />
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <ActionIcon variant="default" size="lg" onClick={copy} aria-label={copied ? "Copied" : "Copy the token"}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          )}
        </CopyButton>
      </Group>
    </Alert>
  );
}
