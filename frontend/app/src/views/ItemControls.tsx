import { ActionIcon, Group, TextInput, Textarea } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconExternalLink, IconX } from "@tabler/icons-react";
import { addressOf, follow } from "../state/router";
import { notifyWithUndo } from "../ui/notice";
import { type Item, MAX_TEXT, moved } from "./sheets";
import styles from "./views.module.css";
import { changeViews } from "./viewsStore";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly item: Item;
  /** From 1 on. */
  readonly number: number;
  readonly items: readonly Item[];
}

/** What can be done with one item of the page. */
export function ItemControls({ item, number, items }: Props) {
  const { id, caption } = item;
  const change = (changed: readonly Item[]): void => void changeViews({ items: changed });
  const edit = (changes: { readonly caption?: string; readonly text?: string }): void =>
    change(items.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  const remove = (): void => {
    change(items.filter((one) => one.id !== id));
    notifyWithUndo(t("views.removed"), () => change(items));
  };
  return (
    <div data-testid="views-item">
      <TextInput
        aria-label={t("views.caption", { number })}
        maxLength={300}
        value={caption}
        onChange={(event) => edit({ caption: event.currentTarget.value })}
      />
      {item.kind === "text" && (
        <Textarea
          mt={4}
          aria-label={t("views.text", { number })}
          placeholder={t("views.textHint")}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={MAX_TEXT}
          value={item.text}
          onChange={(event) => edit({ text: event.currentTarget.value })}
        />
      )}
      <Group gap={4} className={styles.itemTools}>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={number === 1}
          aria-label={t("views.moveUp", { number })}
          onClick={() => change(moved(items, id, -1))}
        >
          <IconArrowUp size={16} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={number === items.length}
          aria-label={t("views.moveDown", { number })}
          onClick={() => change(moved(items, id, 1))}
        >
          <IconArrowDown size={16} />
        </ActionIcon>
        {item.kind !== "text" && (
          <ActionIcon
            component="a"
            variant="subtle"
            color="gray"
            href={addressOf(item.link)}
            aria-label={t("views.openView", { number })}
            onClick={(event: React.MouseEvent) => follow(event, item.link)}
          >
            <IconExternalLink size={16} />
          </ActionIcon>
        )}
        <ActionIcon variant="subtle" color="gray" aria-label={t("views.remove", { number })} onClick={remove}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
    </div>
  );
}
