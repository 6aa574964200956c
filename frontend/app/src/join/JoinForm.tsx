import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconPlayerRecordFilled } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { type Invitation, joinSession } from "@wavescope/core/wire/sessions/sessionsClient";
import { SignInButton } from "../accounts/SignInButton";
import { setSessionInAddress } from "../state/router";
import { enter } from "../session/state/live";
import { rememberName, rememberedName } from "../session/state/nickname";
import { BackLink } from "./JoinEntryPage";
import { t } from "@wavescope/core/i18n/i18n";

const SHOW = { "aria-label": t("join.showPasscode") };

/** What a session is, before one is in it, and the way in. */
export function JoinForm({ invitation }: { readonly invitation: Invitation }) {
  const { title, host, account, recording, joined } = invitation;
  useEffect(() => {
    if (joined) enterSession(joined.id);
  }, [joined]);
  return (
    <Stack>
      <Stack gap={2}>
        <Title order={1} size="h3">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {t("join.sessionOf", { host })}
        </Text>
        <Text size="sm" c="dimmed">
          {t("join.attendance")}
        </Text>
      </Stack>
      {recording && (
        <Alert
          color="red"
          icon={<IconPlayerRecordFilled size={16} />}
          title={t("join.beingRecorded")}
          data-testid="recorded-notice"
        >
          {t("join.recordedHint")}
        </Alert>
      )}
      {account ? <AccountNeeded /> : <NameForm invitation={invitation} />}
      <BackLink />
    </Stack>
  );
}

function AccountNeeded() {
  return (
    <>
      <Text size="sm">{t("join.accountNeeded")}</Text>
      <SignInButton />
    </>
  );
}

function NameForm({ invitation: { code, passcode } }: { readonly invitation: Invitation }) {
  const [nickname, setNickname] = useState(rememberedName);
  const [secret, setSecret] = useState("");
  const join = useMutation({
    mutationFn: (name: string) => joinSession(code, name, secret || null),
    onSuccess: (id, name) => {
      rememberName(name);
      enterSession(id);
    },
  });
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    join.mutate(nickname.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t("join.yourName")}
          description={t("join.nameHint")}
          required
          maxLength={40}
          value={nickname}
          onChange={(event) => setNickname(event.currentTarget.value)}
          autoComplete="nickname"
        />
        {passcode && (
          <PasswordInput
            label={t("join.passcode")}
            required
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
            autoComplete="off"
            visibilityToggleButtonProps={SHOW}
          />
        )}
        {join.error && <Alert color="red">{explain(join.error)}</Alert>}
        <Button type="submit" loading={join.isPending} disabled={nickname.trim() === "" || (passcode && secret === "")}>
          {t("join.join")}
        </Button>
      </Stack>
    </form>
  );
}

/** The session itself takes this window to what is on its stage. */
function enterSession(id: string): void {
  enter(id);
  setSessionInAddress("session", id);
}
