/** A word that stands for a while at the edge of the page. */
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";

const UNDO_MILLISECONDS = 12_000;
let notices = 0;
const plain = { withBorder: true, closeButtonProps: { "aria-label": "Close" } };

export function tell(message: string): void {
  notifications.show({ ...plain, message });
}

export function tellFailure(title: string, message: string): void {
  notifications.show({ ...plain, title, message, color: "red" });
}

/** Says what was done and offers the way back. */
export function tellWithUndo(message: string, undo: () => void): void {
  const id = `undo ${(notices += 1)}`;
  const back = (): void => {
    notifications.hide(id);
    undo();
  };
  notifications.show({
    ...plain,
    id,
    autoClose: UNDO_MILLISECONDS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" onClick={back}>
          Undo
        </Button>
      </Group>
    ),
  });
}
