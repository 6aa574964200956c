import { Button, CopyButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconBookmarkPlus, IconFilePlus, IconLink } from "@tabler/icons-react";
import { useState } from "react";
import { useStore } from "zustand";
import { notify } from "../../ui/notice";
import type { PartProps } from "../parts";
import { BookmarkRow } from "./BookmarkRow";
import { addHere, bookmarksOf, linkWithBookmarks } from "./bookmarks";
import { t } from "@wavescope/core/i18n/i18n";

/** Named views of this slide, stored in this browser. */
export function BookmarksPanel({ microscope }: PartProps) {
  const bookmarks = useStore(bookmarksOf(microscope));
  const [name, setName] = useState("");
  const add = (event: React.SubmitEvent): void => {
    event.preventDefault();
    addHere(microscope, name);
    setName("");
  };
  const [adding, setAdding] = useState(false);
  const addAll = (): void => {
    setAdding(true);
    void import("../../views/adding")
      .then(({ addPlaces }) => addPlaces(microscope, bookmarks))
      .catch(() => notify(t("ui.partNotLoaded")))
      .finally(() => setAdding(false));
  };
  return (
    <Stack gap="sm">
      <form onSubmit={add}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            placeholder={t("microscope.bookmarkPlaceholder")}
            aria-label={t("microscope.bookmarkName")}
          />
          <Button type="submit" leftSection={<IconBookmarkPlus size={16} />}>
            {t("common.add")}
          </Button>
        </Group>
      </form>
      {bookmarks.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("microscope.noBookmarks")}
        </Text>
      )}
      <Stack component="ul" gap={6} p={0} m={0} style={{ listStyle: "none" }} aria-label={t("microscope.bookmarks")}>
        {bookmarks.map((bookmark) => (
          <BookmarkRow key={bookmark.id} microscope={microscope} bookmark={bookmark} />
        ))}
      </Stack>
      {bookmarks.length > 0 && !microscope.manifest.files && (
        <Button variant="default" leftSection={<IconFilePlus size={16} />} loading={adding} onClick={addAll}>
          {t("microscope.addBookmarksToPage")}
        </Button>
      )}
      {bookmarks.length > 0 && (
        <CopyButton value={linkWithBookmarks(microscope)}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={<IconLink size={16} />} onClick={copy}>
              {copied ? t("common.linkCopied") : t("microscope.copyBookmarksLink")}
            </Button>
          )}
        </CopyButton>
      )}
    </Stack>
  );
}
