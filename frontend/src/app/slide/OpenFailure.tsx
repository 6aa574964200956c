import { Alert, Button, Stack, Title } from "@mantine/core";
import { ProblemError, explain, mayRecover } from "../../wire/errors";
import { navigate } from "../router";

/** Why a slide cannot be opened, and whether waiting helps. */
export function OpenFailure({ error }: { readonly error: Error }) {
  const gone = error instanceof ProblemError && error.status === 404;
  const recovers = mayRecover(error);
  const title = gone ? "There is no such slide" : recovers ? "The service does not answer" : "The slide cannot be opened";
  return (
    <Stack align="flex-start" maw={460}>
      <Title order={1} size="h3">
        {title}
      </Title>
      <Alert color={recovers ? "yellow" : "red"} w="100%">
        {recovers ? "Trying again by itself." : gone ? "It may have been deleted." : explain(error)}
      </Alert>
      <Button variant="default" onClick={() => navigate("/")}>
        Back to the gallery
      </Button>
    </Stack>
  );
}
