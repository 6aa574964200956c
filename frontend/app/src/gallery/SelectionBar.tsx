import { Button, Group, Text } from "@mantine/core";
import { IconColumns2, IconFolderPlus, IconTags, IconTrash, IconX } from "@tabler/icons-react";
import { useStore } from "zustand";
import { MAX_PANES } from "@wavescope/viewer/compare/address";
import { compare } from "../compare/goCompare";
import { useMay } from "../accounts/account";
import { useDeleteWithUndo } from "../trash/undo";
import { chooseNone, gallery } from "./gallery";
import styles from "./gallery.module.css";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly onTags: (slides: readonly string[]) => void;
  readonly onAddToCase: (slides: readonly string[]) => void;
}

/** What can be done with the slides chosen in the gallery. */
export function SelectionBar({ onTags, onAddToCase }: Props) {
  const chosen = useStore(gallery, (state) => state.chosen);
  const remove = useDeleteWithUndo();
  const may = useMay("instructor");
  if (chosen.length === 0) return null;
  const others = chosen.some(({ editable }) => !editable);
  return (
    <Group
      gap={8}
      className={styles.selectionBar}
      role="toolbar"
      aria-label={t("gallery.selectedSlides")}
      data-testid="selection-bar"
    >
      <Text size="sm" fw={600}>
        {t("gallery.selected", { count: chosen.length })}
      </Text>
      {may && (
        <Button
          size="compact-sm"
          aria-label={t("common.addToCase")}
          leftSection={<IconFolderPlus size={14} />}
          onClick={() => onAddToCase(chosen.map(({ id }) => id))}
        >
          <span>{t("common.addToCase")}</span>
        </Button>
      )}
      {chosen.length >= 2 && chosen.length <= MAX_PANES && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t("gallery.compare")}
          leftSection={<IconColumns2 size={14} />}
          onClick={() => compare(chosen.map(({ id }) => id))}
        >
          <span>{t("gallery.compare")}</span>
        </Button>
      )}
      {may && !others && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t("gallery.tags")}
          leftSection={<IconTags size={14} />}
          onClick={() => onTags(chosen.map(({ id }) => id))}
        >
          <span>{t("gallery.tags")}</span>
        </Button>
      )}
      {may && !others && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t("common.delete")}
          leftSection={<IconTrash size={14} />}
          onClick={() => {
            remove(chosen);
            chooseNone();
          }}
        >
          <span>{t("common.delete")}</span>
        </Button>
      )}
      <Button
        ms="auto"
        size="compact-sm"
        variant="subtle"
        color="gray"
        aria-label={t("gallery.clearSelection")}
        leftSection={<IconX size={14} />}
        onClick={chooseNone}
      >
        <span>{t("gallery.clearSelection")}</span>
      </Button>
    </Group>
  );
}
