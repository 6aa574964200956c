import { ActionIcon, NavLink, Title } from "@mantine/core";
import { IconSearch, IconX } from "@tabler/icons-react";
import { useStore } from "zustand";
import { useCases } from "../cases/queries";
import { parseFilter, queryOf } from "../state/listFilter";
import { addressOf, follow } from "../state/router";
import { nameOf, savedSearches, textOf, toggleSaved } from "./savedSearches";
import galleryStyles from "./gallery.module.css";
import styles from "../ui/page.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import type { ListFilter } from "../state/listFilter";

/** The searches that are saved in this browser, as links. */
export function SavedSearches({ filter }: { readonly filter: ListFilter }) {
  const saved = useStore(savedSearches);
  const cases = new Map((useCases().data ?? []).map(({ id, title }) => [id, title]));
  if (saved.length === 0) return null;
  return (
    <nav aria-label={t("gallery.savedSearches")} className={styles.cases} data-testid="saved-searches">
      <div className={styles.casesHead}>
        <Title order={2} size="h6">
          {t("gallery.savedSearches")}
        </Title>
      </div>
      {saved.map((text) => {
        const query = queryOf(parseFilter(text));
        const name = nameOf(parseFilter(text), cases);
        return (
          <div key={text} className={galleryStyles.saved}>
            <NavLink
              href={addressOf("/", query)}
              onClick={(event) => follow(event, "/", query)}
              active={text === textOf(filter)}
              label={name}
              title={name}
              leftSection={<IconSearch size={16} />}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("gallery.removeSearch", { name })}
              onClick={() => toggleSaved(text)}
            >
              <IconX size={14} />
            </ActionIcon>
          </div>
        );
      })}
    </nav>
  );
}
