import { Anchor, Button, Stack, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type Recording, listRecordings, listSessions } from "../../../wire/sessions/sessionsClient";
import { dateLabel } from "../../ui/dates";
import { addressOf, setSessionInAddress, follow } from "../../state/router";
import { durationLabel } from "../../ui/format";
import { Heading } from "./Heading";
import { enter } from "../state/live";
import styles from "../session.module.css";
import { t } from "../../../i18n/i18n";

/** How often recordings that are going on are asked after. */
const UNTIL_DONE_MILLISECONDS = 2000;

/** Sessions that one may come back to, and recordings to see again. */
export function OwnSessions() {
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: ({ signal }) => listSessions(signal), retry: false });
  const recordings = useQuery({
    queryKey: ["recordings"],
    queryFn: ({ signal }) => listRecordings(signal),
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.some(({ state: now }) => now === "running") ? UNTIL_DONE_MILLISECONDS : false,
  });
  const running = sessions.data?.filter(({ state }) => state !== "ended") ?? [];
  const stored = recordings.data ?? [];
  return (
    <>
      {running.length > 0 && (
        <Stack gap={4}>
          <Heading>{t("session.runningSessions")}</Heading>
          <ul className={styles.list} aria-label={t("session.runningSessions")}>
            {running.map(({ id, title, present }) => (
              <li key={id}>
                <Anchor component="button" size="sm" mih={28} onClick={() => comeBack(id)}>
                  {title}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {t("session.peopleThere", { count: present })}
                </Text>
              </li>
            ))}
          </ul>
        </Stack>
      )}
      {stored.length > 0 && (
        <Stack gap={4}>
          <Heading>{t("session.recordings")}</Heading>
          <ul className={styles.list} aria-label={t("session.recordings")}>
            {stored.map((recording) => (
              <RecordingRow key={recording.id} about={recording} />
            ))}
          </ul>
        </Stack>
      )}
    </>
  );
}

function RecordingRow({ about: { id, title, duration, created, state } }: { readonly about: Recording }) {
  const path = `/recordings/${encodeURIComponent(id)}`;
  return (
    <li className={styles.recordingRow} data-testid="recording" data-state={state}>
      <div>
        <Text size="sm" lineClamp={2}>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {state === "running" ? t("session.recordingNow") : `${dateLabel(created)}, ${durationLabel(duration / 1000)}`}
        </Text>
      </div>
      {state !== "running" && (
        <Button
          component="a"
          href={addressOf(path)}
          onClick={(event: React.MouseEvent) => follow(event, path)}
          size="compact-sm"
          variant="light"
          leftSection={<IconPlayerPlay size={14} />}
          aria-label={t("session.watchRecording", { title })}
        >
          {t("session.watch")}
        </Button>
      )}
    </li>
  );
}

function comeBack(id: string): void {
  enter(id);
  setSessionInAddress("session", id);
}
