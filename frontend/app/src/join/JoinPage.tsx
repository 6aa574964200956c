import { Center, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ProblemError } from "@wavescope/core/wire/http/errors";
import { readInvitation } from "@wavescope/core/wire/sessions/sessionsClient";
import { Failure } from "../accounts/Failure";
import { errorOf } from "../state/queries";
import { CodeForm } from "./CodeForm";
import { JoinForm } from "./JoinForm";
import { BackLink } from "./JoinEntryPage";
import { plainCode } from "./code";
import styles from "./join.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** Whether it is recorded, or needs a passcode, may change while a person reads. */
const POLL_MILLISECONDS = 5000;

/** The way into a live session: a name, and the passcode if there is one. */
export function JoinPage({ id }: { readonly id: string }) {
  const code = plainCode(id);
  const query = useQuery({
    queryKey: ["invitation", code],
    queryFn: ({ signal }) => readInvitation(code, signal),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data && !state.error ? POLL_MILLISECONDS : false),
  });
  usePageTitle(query.data?.title ?? t("join.joinTitle"));
  const error = errorOf(query);
  const unknown = error instanceof ProblemError && error.status === 404;
  return (
    <Center component="main" mih="100dvh" p="md">
      {unknown ? (
        <UnknownCode code={code} />
      ) : query.data ? (
        <Paper withBorder shadow="sm" p="xl" className={styles.card}>
          <JoinForm invitation={query.data} />
        </Paper>
      ) : error ? (
        <Failure error={error} thing="session" />
      ) : (
        <Loader aria-label={t("join.lookingForSession")} />
      )}
    </Center>
  );
}

function UnknownCode({ code }: { readonly code: string }) {
  return (
    <Paper withBorder shadow="sm" p="xl" className={styles.card} data-testid="refusal">
      <Stack>
        <Stack gap={2}>
          <Title order={1} size="h3">
            {t("join.noSuchSession")}
          </Title>
          <Text size="sm">{t("join.noSuchSessionReason")}</Text>
        </Stack>
        <CodeForm key={code} initialCode={code} />
        <BackLink />
      </Stack>
    </Paper>
  );
}
