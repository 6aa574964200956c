import { Button, Divider, Stack, Text } from "@mantine/core";
import { IconKeyboard, IconUsersPlus } from "@tabler/icons-react";
import { useStore } from "zustand";
import { useMay } from "../../accounts/account";
import type { PartProps } from "../../microscope/parts";
import { addressOf, follow } from "../../state/router";
import { AttendanceButton } from "./Attendance";
import { GroupPart } from "./groups/GroupPart";
import { HandQueue } from "./HandQueue";
import { MemberList } from "./MemberList";
import { Notes } from "./Notes";
import { PollPart } from "./polls/PollPart";
import { QuestionPart } from "./questions/QuestionPart";
import { OwnSessions } from "./OwnSessions";
import { ReplayPanel } from "./ReplayPanel";
import { SessionControls, SessionSettings } from "./SessionControls";
import { SessionSlides } from "./SessionSlides";
import { showDialog } from "../state/dialogs";
import { live } from "../state/live";
import { useInSession, useParticipant } from "../state/useSession";
import { t } from "@wavescope/core/i18n/i18n";

/** What one can do, who is here, the slides and the notes; without a session, the way to one. */
export function SessionPanel(part: PartProps) {
  const inside = useInSession();
  const participant = useParticipant();
  const recording = useStore(live, (state) => state.live?.recording ?? null);
  if (!inside) return <Outside />;
  if (!participant) return <Text size="sm">{t("session.connecting")}</Text>;
  if (recording) return <ReplayPanel {...recording} participant={participant} part={part} />;
  const all = { ...participant, session: participant.whole }; // polls, questions and notes are not a group's (SE68)
  return (
    <Stack gap="md">
      <Text size="sm" fw={600} data-testid="session-title">
        {participant.session.title}
      </Text>
      <SessionControls {...all} />
      <GroupPart {...participant} />
      <PollPart {...all} {...part} />
      <HandQueue {...all} />
      <QuestionPart {...all} {...part} />
      <MemberList {...participant} />
      {participant.session.owner === participant.you ? (
        <AttendanceButton id={participant.session.id} />
      ) : (
        <Text size="xs" c="dimmed">
          {t("session.attendanceKept")}
        </Text>
      )}
      <SessionSettings {...all} />
      <Divider />
      <SessionSlides {...participant} />
      <Divider />
      <Notes {...all} />
    </Stack>
  );
}

function Outside() {
  const may = useMay("instructor");
  return (
    <Stack gap="md">
      {may && (
        <Button leftSection={<IconUsersPlus size={16} />} onClick={() => showDialog("start")}>
          {t("session.startLiveSession")}
        </Button>
      )}
      <Button
        component="a"
        variant="default"
        leftSection={<IconKeyboard size={16} />}
        href={addressOf("/join")}
        onClick={(event: React.MouseEvent) => follow(event, "/join")}
      >
        {t("session.joinWithCode")}
      </Button>
      <Text size="sm" c="dimmed">
        {may ? t("session.startHint") : t("session.joinOnlyHint")}
      </Text>
      <OwnSessions />
    </Stack>
  );
}
