import { Alert, Button, Center, Divider, Group, Loader, Paper, Stack, Title } from "@mantine/core";
import { Brand } from "../ui/Brand";
import { ErrorPage } from "../ui/ErrorPage";
import { WAITING } from "../ui/pageErrors";
import { useQueryParameter } from "../state/router";
import { NoAccounts } from "./RoleGate";
import { SignInForm } from "./SignInForm";
import { useAccountQuery } from "./account";
import { t } from "@wavescope/core/i18n/i18n";
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
        {account ? <NoAccounts /> : waiting ? <ErrorPage {...WAITING} /> : <Loader aria-label={t("common.loading")} />}
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
          <SignInForm next={next} />
        </Stack>
      </Paper>
    </Center>
  );
}

/** Where to go after signing in: a page of ours, never another site. */
function pageOf(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : "/";
}
