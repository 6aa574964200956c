import { Alert, Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Replay } from "../../../session/replay";
import type { RecordingEntry } from "../../../session/state";
import { explain } from "../../../wire/errors";
import { readEntries, readRecording } from "../../../wire/sessionsClient";
import { enterRecording } from "./live";
import { ReplayLink } from "./replaying";
import styles from "./session.module.css";

/** Fetches a recording and begins to show it; where it is on the stage is the page that it goes to. */
export function OpenRecording({ id }: { readonly id: string }) {
  const { data, error } = useQuery({
    queryKey: ["recording", id],
    queryFn: async ({ signal }) => {
      const about = await readRecording(id, signal);
      return { about, replay: new Replay((await readEntries(about, signal)) as unknown as readonly RecordingEntry[]) };
    },
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    if (data) enterRecording(data.about, new ReplayLink(data.replay));
  }, [data]);
  return (
    <Center className={styles.opening}>
      {error ? <Alert color="red">{`The recording cannot be shown. ${explain(error)}`}</Alert> : <Loader aria-label="Opening the recording" />}
    </Center>
  );
}
