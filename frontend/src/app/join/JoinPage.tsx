import { Alert, Button, Center, Loader, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ProblemError, explain } from "../../wire/errors";
import { type Invitation, joinSession, readInvitation } from "../../wire/sessionsClient";
import { obstacleOf } from "../queries";
import { carrySession, navigate } from "../router";
import { enter } from "../slide/session/live";
import { rememberName, rememberedName } from "../slide/session/nickname";
import { plainCode } from "../slide/session/words";
import styles from "./join.module.css";

/** The way into a live session: a name, and the passcode if there is one. */
export function JoinPage({ id }: { readonly id: string }) {
  const code = plainCode(id);
  const query = useQuery({ queryKey: ["invitation", code], queryFn: ({ signal }) => readInvitation(code, signal), staleTime: 0, gcTime: 0 });
  useDocumentTitle(query.data ? `${query.data.title} – Wavescope` : "Join a session – Wavescope");
  const obstacle = query.data ? null : obstacleOf(query);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder shadow="sm" p="xl" className={styles.card}>
        {query.data ? <Door invitation={query.data} /> : obstacle ? <Closed error={obstacle} /> : <Loader aria-label="Looking for the session" />}
      </Paper>
    </Center>
  );
}

function Closed({ error }: { readonly error: Error }) {
  const unknown = error instanceof ProblemError && error.status === 404;
  return (
    <Stack align="flex-start">
      <Title order={1} size="h3">
        {unknown ? "There is no such session" : "The session cannot be joined now"}
      </Title>
      <Text size="sm">{unknown ? "It may have ended, or the code was mistyped." : explain(error)}</Text>
      <Button variant="default" onClick={() => navigate("/")}>
        To the gallery
      </Button>
    </Stack>
  );
}

function Door({ invitation: { code, title, host, passcode, account, joined } }: { readonly invitation: Invitation }) {
  const [nickname, setNickname] = useState(rememberedName);
  const [secret, setSecret] = useState("");
  const join = useMutation({
    mutationFn: () => joinSession(code, nickname.trim(), secret || null),
    onSuccess: (id) => {
      rememberName(nickname.trim());
      goIn(id);
    },
  });
  useEffect(() => {
    if (joined) goIn(joined.id);
  }, [joined]);
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    join.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Stack gap={2}>
          <Title order={1} size="h3">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            A live session of {host}
          </Text>
        </Stack>
        {account ? (
          <Alert color="yellow">This session is for people with an account. Sign in, then open the link again.</Alert>
        ) : (
          <>
            <TextInput label="Your name" description="As the others will see it" required maxLength={40} value={nickname} onChange={(event) => setNickname(event.currentTarget.value)} autoComplete="nickname" />
            {passcode && <PasswordInput label="Passcode" required value={secret} onChange={(event) => setSecret(event.currentTarget.value)} autoComplete="off" visibilityToggleButtonProps={{ "aria-label": "Show the passcode" }} />}
            {join.error && <Alert color="red">{explain(join.error)}</Alert>}
            <Button type="submit" loading={join.isPending} disabled={nickname.trim() === "" || (passcode && secret === "")}>
              Join
            </Button>
          </>
        )}
      </Stack>
    </form>
  );
}

/** The session itself takes this window to what is on its stage. */
function goIn(id: string): void {
  enter(id);
  carrySession("session", id);
}
