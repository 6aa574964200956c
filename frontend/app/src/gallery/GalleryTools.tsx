import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { IconId, IconLayoutGrid, IconList, IconStar, IconStarFilled } from "@tabler/icons-react";
import { useStore } from "zustand";
import { useMay } from "../accounts/account";
import type { ListFilter } from "../state/listFilter";
import { SortSelect } from "../ui/SortSelect";
import { savedSearches, textOf, toggleSaved } from "./savedSearches";
import styles from "./gallery.module.css";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly total: number;
  readonly filter: ListFilter;
  readonly onNarrow: (next: Partial<ListFilter>) => void;
  /** Whether the pictures of the slides' labels are shown. */
  readonly labels: boolean;
  readonly onLabels: (shown: boolean) => void;
}

/** Above the slides: how many there are, whether the search is saved, and how they are shown. */
export function GalleryTools({ total, filter, onNarrow, labels, onLabels }: Props) {
  const mayLabels = useMay("instructor");
  return (
    <div className={styles.tools}>
      <Group gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {t("common.slides", { count: total })}
        </Text>
        <SaveSearch filter={filter} />
      </Group>
      <Group gap={8} wrap="nowrap">
        {mayLabels && (
          <Tool
            label={labels ? t("gallery.hideLabels") : t("gallery.showLabels")}
            pressed={labels}
            onClick={() => onLabels(!labels)}
          >
            <IconId size={18} />
          </Tool>
        )}
        <ActionIcon.Group role="group" aria-label={t("gallery.view")}>
          <Tool label={t("gallery.gridView")} pressed={!filter.list} onClick={() => onNarrow({ list: false })}>
            <IconLayoutGrid size={18} />
          </Tool>
          <Tool label={t("gallery.listView")} pressed={!!filter.list} onClick={() => onNarrow({ list: true })}>
            <IconList size={18} />
          </Tool>
        </ActionIcon.Group>
        <SortSelect own="newest" value={filter.sort} onChange={(sort) => onNarrow({ sort })} />
      </Group>
    </div>
  );
}

function SaveSearch({ filter }: { readonly filter: ListFilter }) {
  const text = textOf(filter);
  const saved = useStore(savedSearches, (all) => all.includes(text));
  if (filter.search.trim() === "" && filter.labels.length === 0) return null;
  const Icon = saved ? IconStarFilled : IconStar;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<Icon size={14} />}
      aria-pressed={saved}
      onClick={() => toggleSaved(text)}
    >
      {t("gallery.saveSearch")}
    </Button>
  );
}

interface ToolProps {
  readonly label: string;
  readonly pressed: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

function Tool({ label, pressed, onClick, children }: ToolProps) {
  return (
    <ActionIcon
      variant={pressed ? "light" : "default"}
      size={30}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}
