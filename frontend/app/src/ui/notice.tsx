/** Messages that appear for a while at the edge of the page. */
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { t } from "@wavescope/core/i18n/i18n";

const OFFER_MILLISECONDS = 12_000;
let notices = 0;
const plain = { withBorder: true, closeButtonProps: { "aria-label": t("common.close") } };

export function notify(message: string): void {
  notifications.show({ ...plain, message });
}

export function notifyFailure(title: string, message: string): void {
  notifications.show({ ...plain, title, message, color: "red" });
}

/** Says what was done and offers the way back. */
export function notifyWithUndo(message: string, undo: () => void): void {
  notifyWithAction(message, { label: t("common.undo"), run: undo });
}

/** Says what was done and offers what may come next. */
export function notifyWithAction(
  message: string,
  { label, run }: { readonly label: string; readonly run: () => void },
): void {
  const id = `offer-${(notices += 1)}`;
  const onClick = (): void => {
    notifications.hide(id);
    run();
  };
  notifications.show({
    ...plain,
    id,
    autoClose: OFFER_MILLISECONDS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" onClick={onClick} style={{ flexShrink: 0 }}>
          {label}
        </Button>
      </Group>
    ),
  });
}
