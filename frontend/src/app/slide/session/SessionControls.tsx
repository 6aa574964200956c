import { Button, Group, Stack, Switch } from "@mantine/core";
import type { Settings } from "../../../session/state";
import { useHasAccounts } from "../../people/account";
import { togglePause, toggleRecording } from "./actions";
import { type Seat, operate } from "./live";

/** What presenter and owner decide for all. */
export function SessionControls({ session, you }: Seat) {
  const accounts = useHasAccounts(); // without them everyone may annotate as it is
  const owner = session.owner === you;
  const mayPause = owner || session.presenter === you;
  if (!mayPause) return null;
  const paused = session.state === "paused";
  const toggle = (name: keyof Settings, label: string) => (
    <Switch label={label} checked={session.settings[name]} onChange={(event) => operate({ type: "settings", settings: { ...session.settings, [name]: event.currentTarget.checked } })} />
  );
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button variant="default" size="compact-md" onClick={togglePause}>
          {paused ? "Go on" : "Pause"}
        </Button>
        {owner && (
          <Button variant="default" size="compact-md" onClick={toggleRecording}>
            {session.recording ? "Stop recording" : "Record"}
          </Button>
        )}
      </Group>
      {owner && (
        <>
          {toggle("everyone_steers", "Everyone may steer")}
          {accounts && toggle("guests_annotate", "Everyone may annotate")}
          {toggle("locked", "Nobody new may join")}
        </>
      )}
    </Stack>
  );
}
