import { ActionIcon, Button, CloseButton, Text, Tooltip } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconRoute } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { useStore } from "zustand";
import { explain } from "@wavescope/core/wire/http/explain";
import { type Recording, tourOfRecording } from "@wavescope/core/wire/sessions/sessionsClient";
import { notify, notifyFailure } from "../../ui/notice";
import { navigate, tourPath } from "../../state/router";
import { rejoin } from "../state/actions";
import { live, quit } from "../state/live";
import type { ReplayLink } from "../state/replaying";
import { RecordingMenu } from "./RecordingMenu";
import { SpeedSelect, usePlayButton } from "./ReplayControls";
import { useParticipant } from "../state/useSession";
import { clockLabel } from "../state/labels";
import styles from "../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** The time line of the recording that is being shown, below the picture. */
export function ReplayBar() {
  const recording = useStore(live, (state) => state.live?.recording ?? null);
  return recording && <TimeLine about={recording.about} link={recording.link} />;
}

function TimeLine({ about, link }: { readonly about: Recording; readonly link: ReplayLink }) {
  const { playing, label, press } = usePlayButton(link);
  const participant = useParticipant();
  return (
    <section
      className={styles.timeline}
      aria-label={t("session.recordingOf", { title: about.title })}
      data-testid="replay-bar"
    >
      <Tooltip label={label}>
        <ActionIcon variant="filled" size="lg" aria-label={label} onClick={press}>
          {playing ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
        </ActionIcon>
      </Tooltip>
      <Seek link={link} />
      <SpeedSelect link={link} />
      {participant && !participant.following && (
        <Button size="compact-sm" onClick={rejoin}>
          {t("session.rejoin")}
        </Button>
      )}
      {about.owner && <CreateTour about={about} />}
      {about.owner && <RecordingMenu about={about} />}
      <CloseButton aria-label={t("session.closeRecording")} onClick={quit} />
    </section>
  );
}

function Seek({ link }: { readonly link: ReplayLink }) {
  const { time } = useStore(link.playing);
  const { duration } = link.replay;
  const moments = useMemo(() => link.replay.moments(), [link]);
  return (
    <>
      <Text size="sm" className={styles.clock} data-testid="replay-time">
        {clockLabel(time)} / {clockLabel(duration)}
      </Text>
      <div className={styles.seek}>
        <input
          type="range"
          min={0}
          max={100 * Math.ceil(duration / 100)}
          step={100}
          value={time}
          onChange={(event) => link.seek(Number(event.currentTarget.value))}
          aria-label={t("session.timeInRecording")}
          aria-valuetext={t("session.timeOf", { time: clockLabel(time), duration: clockLabel(duration) })}
          data-testid="replay-seek"
        />
        <div className={styles.moments} aria-hidden="true">
          {moments.map((moment, i) => (
            <span
              key={i}
              className={styles.moment}
              style={{ insetInlineStart: `${(100 * moment.time) / Math.max(1, duration)}%` }}
              title={moment.text}
            />
          ))}
        </div>
      </div>
    </>
  );
}

function CreateTour({ about }: { readonly about: Recording }) {
  const make = useMutation({
    mutationFn: () => tourOfRecording(about.id, about.title),
    onSuccess: (tour) => {
      notify(t("session.tourCreated"));
      quit();
      navigate(tourPath(tour));
    },
    onError: (error) => notifyFailure(t("session.tourNotCreated"), explain(error)),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconRoute size={16} />}
      loading={make.isPending}
      onClick={() => make.mutate()}
    >
      {t("session.createTour")}
    </Button>
  );
}
