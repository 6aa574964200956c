import { Button, Divider, Group, Stack, Text } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { t } from "@wavescope/core/i18n/i18n";
import type { Recording } from "@wavescope/core/wire/sessions/sessionsClient";
import { MemberList } from "./MemberList";
import { Notes } from "./Notes";
import { PollPart } from "./polls/PollPart";
import { SessionSlides } from "./SessionSlides";
import type { PartProps } from "../../microscope/parts";
import { rejoin } from "../state/actions";
import type { Participant } from "../state/live";
import type { ReplayLink } from "../state/replaying";
import { SpeedSelect, usePlayButton } from "../replay/ReplayControls";

interface ReplayPanelProps {
  readonly about: Recording;
  readonly link: ReplayLink;
  readonly participant: Participant;
  readonly part: PartProps;
}

/** For the viewer of a recording: playing it, then the people, slides and notes of the session at this moment. */
export function ReplayPanel({ about, link, participant, part }: ReplayPanelProps) {
  const { playing, label, press } = usePlayButton(link);
  return (
    <Stack gap="md">
      <Text size="sm" fw={600} data-testid="session-title">
        {about.title}
      </Text>
      <Group gap="xs">
        <Button
          size="compact-sm"
          leftSection={playing ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          onClick={press}
        >
          {label}
        </Button>
        <SpeedSelect link={link} />
        {!participant.following && (
          <Button variant="default" size="compact-sm" onClick={rejoin}>
            {t("session.rejoin")}
          </Button>
        )}
      </Group>
      <PollPart {...participant} {...part} readOnly />
      <MemberList {...participant} />
      <Divider />
      <SessionSlides {...participant} />
      <Divider />
      <Notes {...participant} readOnly />
    </Stack>
  );
}
