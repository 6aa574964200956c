import { Button, Group, Text } from "@mantine/core";
import { IconColumns2, IconFolderPlus, IconTrash } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { SlideSummary } from "../../wire/slides/manifest";
import { compare } from "../compare/goCompare";
import { useMay } from "../accounts/account";
import { useDeleteWithUndo } from "../trash/undo";
import { chooseNone, gallery } from "./gallery";
import styles from "./gallery.module.css";
import { t } from "../../i18n/i18n";

interface Props {
  /** Those shown; more may be chosen. */
  readonly slides: readonly SlideSummary[];
  readonly onAddToCase: (slides: readonly string[]) => void;
}

/** What can be done with the slides chosen in the gallery. */
export function SelectionBar({ slides, onAddToCase }: Props) {
  const chosen = useStore(gallery, (state) => state.chosen);
  const remove = useDeleteWithUndo();
  const may = useMay("instructor");
  if (chosen.length === 0) return null;
  const others = slides.some(({ id, editable }) => !editable && chosen.includes(id));
  return (
    <Group className={styles.gathering} role="toolbar" aria-label={t("gallery.selectedSlides")} data-testid="gathering">
      <Text size="sm" fw={600}>
        {t("gallery.selected", { count: chosen.length })}
      </Text>
      {may && (
        <Button size="compact-sm" leftSection={<IconFolderPlus size={14} />} onClick={() => onAddToCase(chosen)}>
          {t("common.addToCase")}
        </Button>
      )}
      {chosen.length === 2 && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconColumns2 size={14} />}
          onClick={() => compare(chosen[0], chosen[1])}
        >
          {t("gallery.compare")}
        </Button>
      )}
      {may && !others && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconTrash size={14} />}
          onClick={() => {
            remove(chosen.map((id) => ({ id, title: id })));
            chooseNone();
          }}
        >
          {t("common.delete")}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={chooseNone}>
        {t("gallery.clearSelection")}
      </Button>
    </Group>
  );
}
