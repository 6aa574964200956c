import { Button, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type Recording, listRecordings } from "@wavescope/core/wire/sessions/sessionsClient";
import { dateLabel } from "../../ui/dates";
import { durationLabel } from "../../ui/format";
import { addressOf, follow } from "../../state/router";
import styles from "../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** How often recordings that are going on are asked after. */
const UNTIL_DONE_MILLISECONDS = 2000;

/** The recordings that one may watch, the newest first; with `slides` those that show one of them. */
export function useRecordings(slides?: readonly string[]): readonly Recording[] {
  const { data = [] } = useQuery({
    queryKey: ["recordings"],
    queryFn: ({ signal }) => listRecordings(signal),
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.some(({ state: now }) => now === "running") ? UNTIL_DONE_MILLISECONDS : false,
  });
  return slides ? data.filter((one) => one.slides.some(({ id }) => slides.includes(id))) : data;
}

export function RecordingList({ recordings }: { readonly recordings: readonly Recording[] }) {
  return (
    <ul className={styles.list} aria-label={t("session.recordings")}>
      {recordings.map((recording) => (
        <RecordingRow key={recording.id} about={recording} />
      ))}
    </ul>
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
