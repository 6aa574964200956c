import { Button, Group, NativeSelect, Stack, Switch } from "@mantine/core";
import { IconShare } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Settings } from "@wavescope/core/session/state";
import { useHasAccounts } from "../../accounts/account";
import { togglePause, toggleRecording } from "../state/actions";
import { showDialog } from "../state/dialogs";
import { NAME_CHOICES, type NameChoice, hostNames, ownNames } from "../state/names";
import { type Participant, operate } from "../state/live";
import { t } from "@wavescope/core/i18n/i18n";

/** Inviting, for everyone; pausing and recording, for presenter and owner. */
export function SessionControls({ session, you }: Participant) {
  const owner = session.owner === you;
  const mayPause = owner || session.presenter === you;
  const paused = session.state === "paused";
  return (
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
  );
}

/** What the owner has chosen for all, and everyone for oneself. */
export function SessionSettings({ session, you }: Participant) {
  const accounts = useHasAccounts(); // without them everyone may annotate as it is
  const owner = session.owner === you;
  const own = useStore(ownNames, ({ choice }) => choice);
  const hostChoice = NAME_CHOICES.find(({ value }) => value === hostNames(session))!.label;
  const toggle = (name: Exclude<keyof Settings, "names">, label: string) => (
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
      {owner && (
        <>
          {toggle("everyone_steers", t("session.everyoneCanNavigate"))}
          {accounts && toggle("guests_annotate", t("session.everyoneCanAnnotate"))}
          {toggle("locked", t("session.lockSession"))}
          <NativeSelect
            size="xs"
            label={t("session.namesForAll")}
            data={NAME_CHOICES}
            value={hostNames(session)}
            onChange={({ currentTarget: { value } }) =>
              operate({ type: "settings", settings: { ...session.settings, names: value as NameChoice } })
            }
          />
        </>
      )}
      <NativeSelect
        size="xs"
        label={t("session.names")}
        data={[{ value: "", label: t("session.namesAsHost", { choice: hostChoice }) }, ...NAME_CHOICES]}
        value={own ?? ""}
        onChange={({ currentTarget: { value } }) => ownNames.setState({ choice: (value || null) as NameChoice | null })}
      />
    </Stack>
  );
}
