import { Alert, Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { createSession } from "@wavescope/core/wire/sessions/sessionsClient";
import { readView } from "@wavescope/viewer/view/view";
import { useHasAccounts } from "../../accounts/account";
import { setSessionInAddress } from "../../state/router";
import type { PartProps } from "../../microscope/parts";
import { showDialog } from "../state/dialogs";
import { clientNow, enter, live, operate } from "../state/live";
import { rememberName, rememberedName } from "../state/nickname";
import { sharedView } from "../state/sharedView";
import { sceneAt } from "../state/stage";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

/** Starts a session with the slide that is looked at: who may join, and what they may do. */
export function StartDialog({ microscope, manifest, onClose }: PartProps & { readonly onClose: () => void }) {
  const [title, setTitle] = useState(manifest.title);
  const [nickname, setNickname] = useState(rememberedName);
  const [passcode, setPasscode] = useState("");
  const [options, setOptions] = useState({
    guests: true,
    everyone_steers: false,
    guests_annotate: false,
    record: false,
  });
  const { record, ...rules } = options;
  const accounts = useHasAccounts();
  const start = useMutation({
    mutationFn: () => {
      const stage = sceneAt(location) ?? { slide: manifest.id, pair: null, tour: null };
      return createSession({
        title: title.trim() || manifest.title,
        nickname: nickname.trim(),
        passcode: passcode || null,
        slides: [stage.slide],
        stage,
        view: sharedView(readView(microscope)),
        ...rules,
      });
    },
    onSuccess: ({ id }) => {
      rememberName(nickname.trim());
      enter(id);
      setSessionInAddress("session", id);
      if (record) whenWelcome(() => operate({ type: "record", on: true }));
      showDialog("share");
    },
  });
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    start.mutate();
  };
  const toggle = (name: keyof typeof options, label: string, description?: string) => (
    <Switch
      label={label}
      description={description}
      checked={options[name]}
      onChange={(event) => setOptions({ ...options, [name]: event.currentTarget.checked })}
    />
  );
  const short = passcode !== "" && passcode.length < 4;
  return (
    <Dialog opened onClose={onClose} title={t("session.startLiveSession")} centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t("join.yourName")}
            required
            maxLength={40}
            value={nickname}
            onChange={(event) => setNickname(event.currentTarget.value)}
            data-autofocus
            autoComplete="nickname"
          />
          <TextInput
            label={t("common.title")}
            maxLength={200}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <TextInput
            label={t("join.passcode")}
            description={t("session.passcodeHint")}
            error={short ? t("session.atLeast4Characters") : undefined}
            maxLength={64}
            value={passcode}
            onChange={(event) => setPasscode(event.currentTarget.value)}
            autoComplete="off"
          />
          {accounts && toggle("guests", t("session.peopleWithoutAccountCanJoin"))}
          {toggle("everyone_steers", t("session.everyoneCanNavigate"), t("session.navigateHint"))}
          {accounts && toggle("guests_annotate", t("session.canAnnotateHint"))}
          {toggle("record", t("session.record"), t("session.recordHint"))}
          {start.error && <Alert color="red">{explain(start.error)}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={start.isPending} disabled={short || nickname.trim() === ""}>
              {t("session.start")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Does something once this window has been let in. */
function whenWelcome(work: () => void): void {
  const state = live.getState().live?.connection.state;
  if (!state || clientNow().phase === "live") return work();
  const stop = state.subscribe(({ phase }) => {
    if (phase !== "live") return;
    stop();
    work();
  });
}
