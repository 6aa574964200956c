import { Alert, Button, Center, Loader, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useEffect } from "react";
import { warmUp } from "../../viewer/sources";
import { ProblemError, explain, mayRecover } from "../../wire/errors";
import { obstacleOf, useManifest } from "../queries";
import { navigate } from "../router";
import { SlideView } from "./SlideView";
import styles from "./slide.module.css";

export function SlidePage({ id }: { readonly id: string }) {
  useEffect(warmUp, []);
  const query = useManifest(id);
  useDocumentTitle(query.data ? `${query.data.title} – Wavescope` : "Wavescope");
  if (query.data) return <SlideView key={query.data.digest} manifest={query.data} onReload={() => void query.refetch()} />;
  const obstacle = obstacleOf(query);
  return (
    <Center className={styles.page} component="main">
      {obstacle ? <OpenFailure error={obstacle} /> : <Loader aria-label="Opening the slide" />}
    </Center>
  );
}

function OpenFailure({ error }: { readonly error: Error }) {
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
