import { Alert, Button, Group, Modal, Stack, Switch, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "../../wire/http/errors";
import { createSession } from "../../wire/sessions/sessionsClient";
import { readView } from "../../viewer/view/view";
import { useHasAccounts } from "../accounts/account";
import { carrySession } from "../state/router";
import type { PartProps } from "../microscope/parts";
import { showDialog } from "./dialogs";
import { clientNow, enter, live, operate } from "./live";
import { rememberName, rememberedName } from "./nickname";
import { sceneAt } from "./stage";
import { sharedView } from "./viewerBinding";

/** Starts a session with the slide that is looked at: who may join, and what they may do. */
export function StartDialog({ scope, manifest, onClose }: PartProps & { readonly onClose: () => void }) {
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
        view: sharedView(readView(scope)),
        ...rules,
      });
    },
    onSuccess: ({ id }) => {
      rememberName(nickname.trim());
      enter(id);
      carrySession("session", id);
      if (record) whenWelcome(() => operate({ type: "record", on: true }));
      showDialog("share");
    },
  });
  const submit = (event: React.FormEvent): void => {
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
    <Modal opened onClose={onClose} title="Start live session" centered closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Your name"
            required
            maxLength={40}
            value={nickname}
            onChange={(event) => setNickname(event.currentTarget.value)}
            data-autofocus
            autoComplete="nickname"
          />
          <TextInput
            label="Title"
            maxLength={200}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <TextInput
            label="Passcode"
            description="Optional, 4 characters or more; asked of everybody who joins"
            error={short ? "At least 4 characters" : undefined}
            maxLength={64}
            value={passcode}
            onChange={(event) => setPasscode(event.currentTarget.value)}
            autoComplete="off"
          />
          {accounts && toggle("guests", "People without an account can join")}
          {toggle("everyone_steers", "Everyone can navigate", "Whoever moves the picture moves it for all")}
          {accounts && toggle("guests_annotate", "Everyone can annotate these slides")}
          {toggle("record", "Record", "Views, cursors, annotations and notes; everybody is told. No sound.")}
          {start.error && <Alert color="red">{explain(start.error)}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={start.isPending} disabled={short || nickname.trim() === ""}>
              Start
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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
