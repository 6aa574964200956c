import { UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import type { Sort } from "@wavescope/core/wire/catalog/sort";
import { facetTitle } from "./facetNames";
import styles from "./slideGrid.module.css";
import { SUGGESTED } from "./tags";
import { t } from "@wavescope/core/i18n/i18n";

interface Column {
  readonly name: string;
  readonly title: string;
  /** The order of a first click, and that of a second. */
  readonly orders: readonly [Sort, Sort];
}

const COLUMNS: readonly Column[] = [
  { name: "title", title: t("common.title"), orders: ["title", "-title"] },
  ...SUGGESTED.map(
    (key): Column => ({
      name: key,
      title: facetTitle(`tag.${key}`),
      orders: [`tag.${key}`, `-tag.${key}`],
    }),
  ),
  { name: "imported", title: t("gallery.imported"), orders: ["newest", "oldest"] },
];

interface Props {
  readonly sort: Sort | null;
  /** Whether there are pictures of labels beside the thumbnails. */
  readonly labels: boolean;
  readonly onSort: (sort: Sort) => void;
}

/** The heads of the list's columns: each sorts by its column, and again the other way. */
export function ColumnHeads({ sort, labels, onSort }: Props) {
  return (
    <div className={styles.heads} data-labels={labels || undefined} role="group" aria-label={t("ui.sort")}>
      {COLUMNS.map(({ name, title, orders: [up, down] }) => {
        const now = sort ?? "newest";
        const chosen = now === up || now === down;
        const Arrow = now === down ? IconChevronDown : IconChevronUp;
        return (
          <UnstyledButton
            key={name}
            className={styles.head}
            data-column={name}
            aria-pressed={chosen}
            onClick={() => onSort(now === up ? down : up)}
          >
            {title}
            {chosen && <Arrow size={14} aria-hidden="true" />}
          </UnstyledButton>
        );
      })}
    </div>
  );
}
