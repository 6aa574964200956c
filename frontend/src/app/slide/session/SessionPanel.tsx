import { Button, Divider, Stack, Text } from "@mantine/core";
import { IconKeyboard, IconUsersPlus } from "@tabler/icons-react";
import { useMay } from "../../people/account";
import { addressOf, follow } from "../../router";
import { MemberList } from "./MemberList";
import { Notes } from "./Notes";
import { OwnSessions } from "./OwnSessions";
import { SessionControls } from "./SessionControls";
import { SessionSlides } from "./SessionSlides";
import { showDialog } from "./dialogs";
import { useInSession, useSeat } from "./useSession";

/** Who is here, what may be done, the slides and the notes; without a session, the way to one. */
export function SessionPanel() {
  const inside = useInSession();
  const seat = useSeat();
  if (!inside) return <Outside />;
  if (!seat) return <Text size="sm">Connecting …</Text>;
  return (
    <Stack gap="md">
      <Text size="sm" fw={600} data-testid="session-title">
        {seat.session.title}
      </Text>
      <MemberList {...seat} />
      <SessionControls {...seat} />
      <Divider />
      <SessionSlides {...seat} />
      <Divider />
      <Notes {...seat} />
    </Stack>
  );
}

function Outside() {
  const may = useMay("instructor");
  return (
    <Stack gap="md">
      <Text size="sm">
        {may ? "Look at slides together: you present, others follow, each with a cursor of their own." : "Sessions are started by instructors; you join one by its link or code."}
      </Text>
      {may && (
        <Button leftSection={<IconUsersPlus size={16} />} onClick={() => showDialog("start")}>
          Start a live session
        </Button>
      )}
      <Button component="a" variant="default" leftSection={<IconKeyboard size={16} />} href={addressOf("/join")} onClick={(event: React.MouseEvent) => follow(event, "/join")}>
        Join with a code
      </Button>
      <OwnSessions />
    </Stack>
  );
}

