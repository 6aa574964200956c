import { Alert, Button, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { navigate } from "./router";

interface Props {
  readonly title: string;
  readonly reason: ReactNode;
  /** Waiting helps, or nothing is lost. */
  readonly mild?: boolean;
  readonly testId?: string;
  /** What else one may do about it. */
  readonly children?: ReactNode;
}

/** In a page's place: why it cannot be shown, and the way back. */
export function Refusal({ title, reason, mild = false, testId, children }: Props) {
  return (
    <Stack align="flex-start" maw={460} data-testid={testId}>
      <Title order={1} size="h3">
        {title}
      </Title>
      <Alert color={mild ? "yellow" : "red"} w="100%">
        {reason}
      </Alert>
      {children}
      <Button variant="default" onClick={() => navigate("/")}>
        Back to the gallery
      </Button>
    </Stack>
  );
}
