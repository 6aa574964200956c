import { Anchor, Center, Paper, Stack, Text, Title } from "@mantine/core";
import { addressOf, follow } from "../state/router";
import { CodeForm } from "./CodeForm";
import styles from "./join.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** `/join`: where a person enters the code of a session. */
export function JoinEntryPage() {
  usePageTitle(t("join.joinTitle"));
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder shadow="sm" p="xl" className={styles.card} data-testid="join-page">
        <Stack>
          <Stack gap={2}>
            <Title order={1} size="h3">
              {t("join.joinLiveSession")}
            </Title>
            <Text size="sm" c="dimmed">
              {t("join.joinHint")}
            </Text>
          </Stack>
          <CodeForm />
          <BackLink />
        </Stack>
      </Paper>
    </Center>
  );
}

export function BackLink() {
  return (
    <Anchor href={addressOf("/")} onClick={(event) => follow(event, "/")} size="sm" ta="center">
      {t("common.backGallery")}
    </Anchor>
  );
}
