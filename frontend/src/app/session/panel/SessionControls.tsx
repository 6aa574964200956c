import { Button, Group, Stack, Switch } from "@mantine/core";
import { IconShare } from "@tabler/icons-react";
import type { Settings } from "../../../session/state";
import { useHasAccounts } from "../../accounts/account";
import { togglePause, toggleRecording } from "../state/actions";
import { showDialog } from "../state/dialogs";
import { type Participant, operate } from "../state/live";
import { t } from "../../../i18n/i18n";

/** Inviting, for everyone; what presenter and owner decide for all. */
export function SessionControls({ session, you }: Participant) {
  const accounts = useHasAccounts(); // without them everyone may annotate as it is
  const owner = session.owner === you;
  const mayPause = owner || session.presenter === you;
  const paused = session.state === "paused";
  const toggle = (name: keyof Settings, label: string) => (
    <Switch
      label={label}
      checked={session.settings[name]}
      onChange={(event) =>
        operate({ type: "settings", settings: { ...session.settings, [name]: event.currentTarget.checked } })
      }
    />
  );
  return (
    <Stack gap="xs">
      <Group gap={6}>
        <Button size="compact-sm" leftSection={<IconShare size={14} />} onClick={() => showDialog("share")}>
          {t("session.invite")}
        </Button>
        {mayPause && (
          <Button variant="default" size="compact-sm" onClick={togglePause}>
            {paused ? t("session.resume") : t("session.pause")}
          </Button>
        )}
        {owner && (
          <Button variant="default" size="compact-sm" onClick={toggleRecording}>
            {session.recording ? t("session.stopRecording") : t("session.record")}
          </Button>
        )}
      </Group>
      {owner && (
        <>
          {toggle("everyone_steers", t("session.everyoneCanNavigate"))}
          {accounts && toggle("guests_annotate", t("session.everyoneCanAnnotate"))}
          {toggle("locked", t("session.lockSession"))}
        </>
      )}
    </Stack>
  );
}
