/** A word that stands for a while at the edge of the page. */
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { t } from "../../i18n/i18n";

const OFFER_MILLISECONDS = 12_000;
let notices = 0;
const plain = { withBorder: true, closeButtonProps: { "aria-label": t("common.close") } };

export function tell(message: string): void {
  notifications.show({ ...plain, message });
}

export function tellFailure(title: string, message: string): void {
  notifications.show({ ...plain, title, message, color: "red" });
}

/** Says what was done and offers the way back. */
export function tellWithUndo(message: string, undo: () => void): void {
  tellWith(message, { word: t("common.undo"), act: undo });
}

/** Says what was done and offers what may come next. */
export function tellWith(message: string, { word, act }: { readonly word: string; readonly act: () => void }): void {
  const id = `offer-${(notices += 1)}`;
  const take = (): void => {
    notifications.hide(id);
    act();
  };
  notifications.show({
    ...plain,
    id,
    autoClose: OFFER_MILLISECONDS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" onClick={take} style={{ flexShrink: 0 }}>
          {word}
        </Button>
      </Group>
    ),
  });
}
