import { Button, Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Replay } from "@wavescope/core/session/replay";
import { readEntries, readRecording } from "@wavescope/core/wire/sessions/sessionsClient";
import { Failure } from "../../accounts/Failure";
import { errorOf } from "../../state/queries";
import { parseRoute, usePathname } from "../../state/router";
import { enterRecording, quit } from "../state/live";
import { ReplayLink } from "../state/replaying";
import styles from "../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** Fetches a recording and begins to show it; where it is on the stage is the page that it goes to. */
export function OpenRecording({ id }: { readonly id: string }) {
  const query = useQuery({
    queryKey: ["recording", id],
    queryFn: async ({ signal }) => {
      const about = await readRecording(id, signal);
      return { about, replay: new Replay(await readEntries(about, signal)) };
    },
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = query;
  const error = data ? null : errorOf(query);
  useEffect(() => {
    if (data) enterRecording(data.about, new ReplayLink(data.replay));
  }, [data]);
  return (
    <Center component="main" className={`${styles.opening} ${error ? styles.refused : ""}`}>
      {error ? <NotShown error={error} /> : <Loader aria-label={t("session.openingRecording")} />}
    </Center>
  );
}

/** Every way from here leaves the recording out of the address. */
function NotShown({ error }: { readonly error: Error }) {
  const below = parseRoute(usePathname()).page;
  return (
    <Failure error={error} thing="recording" onBack={quit}>
      {below !== "recording" && <Button onClick={quit}>{t("session.continueWithoutIt")}</Button>}
    </Failure>
  );
}
