import { Button, Center, Group, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconAlertTriangle, IconCloudOff, IconFileUnknown, IconLock, IconUserCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { PageError } from "./pageErrors";
import { addressOf, follow } from "../state/router";
import { t } from "@wavescope/core/i18n/i18n";

const ICONS = {
  missing: IconFileUnknown,
  forbidden: IconLock,
  "sign-in": IconUserCircle,
  waiting: IconCloudOff,
  fault: IconAlertTriangle,
} as const;
const COLOURS = { missing: "gray", forbidden: "gray", "sign-in": "blue", waiting: "yellow", fault: "red" } as const;

interface Props {
  readonly title: string;
  readonly reason: ReactNode;
  readonly kind?: PageError["kind"];
  readonly testId?: string;
  /** What else can be done about it. */
  readonly children?: ReactNode;
  /** Before the way back is taken. */
  readonly onBack?: () => void;
}

/** Shown instead of a page: why it cannot be shown, what can be done about it, and the way back. */
export function ErrorPage({ title, reason, kind = "missing", testId = "refusal", children, onBack }: Props) {
  const Icon = ICONS[kind];
  const back = (event: React.MouseEvent): void => {
    onBack?.();
    follow(event, "/");
  };
  return (
    <Stack align="center" gap="sm" maw={480} ta="center" data-testid={testId} data-kind={kind}>
      <ThemeIcon variant="light" color={COLOURS[kind]} size={64} radius="xl" aria-hidden="true">
        <Icon size={34} stroke={1.4} />
      </ThemeIcon>
      <Title order={1} size="h3">
        {title}
      </Title>
      <Text role={kind === "waiting" ? "status" : undefined}>{reason}</Text>
      <Group justify="center" gap="sm" mt="xs">
        {children}
        <Button component="a" variant="default" href={addressOf("/")} onClick={back}>
          {t("common.backGallery")}
        </Button>
      </Group>
    </Stack>
  );
}

/** The same, as the whole page. */
export function WholeErrorPage(props: Props) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <ErrorPage {...props} />
    </Center>
  );
}
