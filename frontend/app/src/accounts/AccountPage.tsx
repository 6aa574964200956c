import {
  ActionIcon,
  Alert,
  Button,
  Checkbox,
  CopyButton,
  Group,
  Paper,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  createToken,
  listTokens,
  revokeToken,
  SCOPES,
  type TokenScope,
} from "@wavescope/core/wire/accounts/accountClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { PageHeader } from "./PageHeader";
import styles from "../ui/page.module.css";
import { dateLabel } from "../ui/dates";
import { ROLE_NAMES } from "../ui/roles";
import { PasswordForm } from "./PasswordForm";
import { RoleGate } from "./RoleGate";
import { SecondFactorSection } from "./secondFactor/SecondFactorSection";
import { useAccount } from "./account";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

const LIVES = [
  { value: "30", label: t("accounts.for30Days") },
  { value: "90", label: t("accounts.for90Days") },
  { value: "365", label: t("accounts.for1Year") },
  { value: "", label: t("accounts.untilRevoked") },
];

const SCOPE_LABELS: Readonly<Record<TokenScope, string>> = {
  read: t("accounts.scopeRead"),
  annotate: t("accounts.scopeAnnotate"),
  slides: t("accounts.scopeSlides"),
  originals: t("accounts.scopeOriginals"),
  share: t("accounts.scopeShare"),
  accounts: t("accounts.scopeAccounts"),
  metrics: t("accounts.scopeMetrics"),
};

/** One's own password and tokens. */
export function AccountPage() {
  usePageTitle(t("accounts.account"));
  const account = useAccount();
  return (
    <div className={styles.page} data-testid="account-page">
      <PageHeader title={t("accounts.account")} />
      <main className={styles.main}>
        <RoleGate least="viewer" name={t("accounts.yourAccountInSentence")} accountsOnly>
          {account?.user && (
            <Stack maw={640}>
              <Title order={2} size="h4">
                {t("accounts.titleNameAndRole", {
                  title: account.user.title,
                  name: account.user.name,
                  role: ROLE_NAMES[account.user.role],
                })}
              </Title>
              {account.user.password && <PasswordForm />}
              {account.user.password && <SecondFactorSection />}
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
  const [scopes, setScopes] = useState<readonly string[]>(["read"]);
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ["tokens"] });
  const tokens = useQuery({ queryKey: ["tokens"], queryFn: ({ signal }) => listTokens(signal) });
  const create = useMutation({
    mutationFn: () =>
      createToken(
        title,
        days === "" ? null : Number(days),
        SCOPES.filter((one) => scopes.includes(one)),
      ),
    onSuccess: refresh,
  });
  const revoke = useMutation({ mutationFn: revokeToken, onSuccess: refresh });
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={3} size="h5">
          {t("accounts.tokensForScripts")}
        </Title>
        <Group component="form" align="flex-end" onSubmit={submit}>
          <TextInput
            label={t("accounts.tokenPurpose")}
            value={title}
            maxLength={200}
            flex={1}
            miw={160}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Select
            label={t("common.validity")}
            data={LIVES}
            value={days}
            allowDeselect={false}
            w={170}
            onChange={(value) => setDays(value ?? "")}
          />
          <Button type="submit" disabled={!title.trim() || scopes.length === 0} loading={create.isPending}>
            {t("accounts.createToken")}
          </Button>
          <Checkbox.Group label={t("accounts.tokenScopes")} value={[...scopes]} onChange={setScopes} w="100%">
            <Group mt="xs" gap="md">
              {SCOPES.map((scope) => (
                <Checkbox key={scope} value={scope} label={SCOPE_LABELS[scope]} />
              ))}
            </Group>
          </Checkbox.Group>
        </Group>
        {(create.error ?? revoke.error ?? tokens.error) && (
          <Alert color="red">{explain(create.error ?? revoke.error ?? tokens.error)}</Alert>
        )}
        {create.data && <NewTokenSecret token={create.data} />}
        {tokens.data?.map((token) => (
          <Group key={token.id} wrap="nowrap" data-testid="token">
            <Text size="sm" flex={1}>
              {[
                token.title,
                token.scopes.map((scope) => SCOPE_LABELS[scope]).join(", "),
                token.expires
                  ? t("common.until", { expires: dateLabel(token.expires, "day") })
                  : t("common.untilRevoked"),
                token.used ? t("common.lastUsed", { used: dateLabel(token.used, "day") }) : t("common.neverUsed"),
              ].join(" · ")}
            </Text>
            <Button variant="default" size="compact-sm" onClick={() => revoke.mutate(token.id)}>
              {t("common.revoke")}
            </Button>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

function NewTokenSecret({ token }: { readonly token: string }) {
  return (
    <Alert color="blue" title={t("common.copyNow")}>
      <Group wrap="nowrap" gap="xs">
        <TextInput readOnly flex={1} value={token} aria-label={t("accounts.token")} />
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="default"
              size="lg"
              onClick={copy}
              aria-label={copied ? t("common.copied") : t("accounts.copyToken")}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          )}
        </CopyButton>
      </Group>
    </Alert>
  );
}
