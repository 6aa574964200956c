import { ActionIcon, TextInput, Tooltip, UnstyledButton } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { type Bookmark, deleteBookmark, renameBookmark } from "@wavescope/viewer/navigation/bookmarks";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { notifyWithUndo } from "../../ui/notice";
import { bookmarksOf, visit } from "./bookmarks";
import styles from "./bookmarks.module.css";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly microscope: Microscope;
  readonly bookmark: Bookmark;
}

export function BookmarkRow({ microscope, bookmark }: Props) {
  const { id, name, picture } = bookmark;
  const [editing, setEditing] = useState(false);
  const remove = (): void => {
    const undo = deleteBookmark(bookmarksOf(microscope), id);
    notifyWithUndo(t("microscope.bookmarkDeleted", { name }), undo);
  };
  const rename = (value: string): void => {
    renameBookmark(bookmarksOf(microscope), id, value);
    setEditing(false);
  };
  return (
    <li className={styles.bookmark} data-testid="bookmark">
      {editing ? (
        <TextInput
          flex={1}
          defaultValue={name}
          aria-label={t("common.name")}
          autoFocus
          onBlur={(event) => rename(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") rename(event.currentTarget.value);
            if (event.key !== "Escape") return;
            event.preventDefault(); // the panel stays open
            setEditing(false);
          }}
        />
      ) : (
        <UnstyledButton
          className={styles.visit}
          onClick={() => visit(microscope, bookmark)}
          aria-label={t("microscope.goToBookmark", { name })}
        >
          {picture ? (
            <img src={picture} alt="" width={60} height={40} />
          ) : (
            <span className={styles.noPicture} aria-hidden="true" />
          )}
          <span className={styles.name}>{name}</span>
        </UnstyledButton>
      )}
      <Tooltip label={t("common.rename")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={() => setEditing(true)}
          aria-label={t("microscope.renameBookmark", { name })}
        >
          <IconPencil size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t("common.delete")}>
        <ActionIcon variant="subtle" color="gray" onClick={remove} aria-label={t("common.deleteNamed", { name })}>
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}
