import { Alert, Button, Stack, Title } from "@mantine/core";
import { ProblemError, explain, mayRecover } from "../../wire/errors";
import { SignInButton } from "../people/SignInButton";
import { useAccount } from "../people/account";
import { navigate } from "../router";

const STRANGER = "It may have been deleted, or it is not shared with you. If a link led you here, it may have ended: ask whoever sent it.";

/** Why a slide cannot be opened, and whether waiting helps. */
export function OpenFailure({ error }: { readonly error: Error }) {
  const account = useAccount();
  const gone = error instanceof ProblemError && error.status === 404;
  const stranger = gone && account?.mode === "accounts";
  const recovers = mayRecover(error);
  const title = gone ? "There is no such slide" : recovers ? "The service does not answer" : "The slide cannot be opened";
  return (
    <Stack align="flex-start" maw={460}>
      <Title order={1} size="h3">
        {title}
      </Title>
      <Alert color={recovers ? "yellow" : "red"} w="100%">
        {recovers ? "Trying again by itself." : gone ? (stranger ? STRANGER : "It may have been deleted.") : explain(error)}
      </Alert>
      {stranger && account.user === null && <SignInButton />}
      <Button variant="default" onClick={() => navigate("/")}>
        Back to the gallery
      </Button>
    </Stack>
  );
}
