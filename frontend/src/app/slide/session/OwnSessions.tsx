import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { listRecordings, listSessions } from "../../../wire/sessionsClient";
import { addressOf, carrySession, follow } from "../../router";
import { durationLabel } from "../../wording";
import { Heading } from "./Heading";
import { enter } from "./live";
import styles from "./session.module.css";

/** Sessions that one may come back to, and recordings to see again. */
export function OwnSessions() {
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: ({ signal }) => listSessions(signal), retry: false });
  const recordings = useQuery({ queryKey: ["recordings"], queryFn: ({ signal }) => listRecordings(signal), retry: false });
  const running = sessions.data?.filter(({ state }) => state !== "ended") ?? [];
  const kept = recordings.data ?? [];
  return (
    <>
      {running.length > 0 && (
        <Stack gap={4}>
          <Heading>Sessions going on</Heading>
          <ul className={styles.list} aria-label="Sessions going on">
            {running.map(({ id, title, present }) => (
              <li key={id}>
                <Anchor component="button" size="sm" onClick={() => comeBack(id)}>
                  {title}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {present === 1 ? "1 person" : `${present} people`} there
                </Text>
              </li>
            ))}
          </ul>
        </Stack>
      )}
      {kept.length > 0 && (
        <Stack gap={4}>
          <Heading>Recordings</Heading>
          <ul className={styles.list} aria-label="Recordings">
            {kept.map(({ id, title, duration, created }) => (
              <li key={id}>
                <Anchor href={addressOf(`/recordings/${id}`)} onClick={(event) => follow(event, `/recordings/${id}`)} size="sm">
                  {title}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {durationLabel(duration / 1000)}, {new Date(created).toLocaleDateString()}
                </Text>
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </>
  );
}

function comeBack(id: string): void {
  enter(id);
  carrySession("session", id);
}
