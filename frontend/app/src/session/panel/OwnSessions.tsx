import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { listSessions } from "@wavescope/core/wire/sessions/sessionsClient";
import { setSessionInAddress } from "../../state/router";
import { AttendanceButton } from "./Attendance";
import { Heading } from "./Heading";
import { RecordingList, useRecordings } from "./RecordingList";
import { enter } from "../state/live";
import styles from "../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** Sessions that have ended, the newest ones. */
const MAX_ENDED = 10;

/** Sessions that one may come back to, and recordings to see again. */
export function OwnSessions() {
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: ({ signal }) => listSessions(signal), retry: false });
  const running = sessions.data?.filter(({ state }) => state !== "ended") ?? [];
  const ended = sessions.data?.filter(({ state, owner }) => state === "ended" && owner).slice(0, MAX_ENDED) ?? [];
  const stored = useRecordings();
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
      {ended.length > 0 && (
        <Stack gap={4}>
          <Heading>{t("session.endedSessions")}</Heading>
          <ul className={styles.list} aria-label={t("session.endedSessions")}>
            {ended.map(({ id, title }) => (
              <li key={id} className={styles.recordingRow}>
                <Text size="sm" lineClamp={2}>
                  {title}
                </Text>
                <AttendanceButton id={id} label={t("session.attendanceOf", { title })} />
              </li>
            ))}
          </ul>
        </Stack>
      )}
      {stored.length > 0 && (
        <Stack gap={4}>
          <Heading>{t("session.recordings")}</Heading>
          <RecordingList recordings={stored} />
        </Stack>
      )}
    </>
  );
}

function comeBack(id: string): void {
  enter(id);
  setSessionInAddress("session", id);
}
