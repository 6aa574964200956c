import { Button, CopyButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconBookmarkPlus, IconLink } from "@tabler/icons-react";
import { useState } from "react";
import { useStore } from "zustand";
import type { PartProps } from "../parts";
import { BookmarkRow } from "./BookmarkRow";
import { addHere, bookmarksOf, linkWithBookmarks } from "./bookmarks";

/** Named places of this slide, kept in this browser. */
export function BookmarksPanel({ scope }: PartProps) {
  const bookmarks = useStore(bookmarksOf(scope));
  const [name, setName] = useState("");
  const add = (event: React.FormEvent): void => {
    event.preventDefault();
    addHere(scope, name);
    setName("");
  };
  return (
    <Stack gap="sm">
      <form onSubmit={add}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            placeholder="Name of this place"
            aria-label="Name of the new bookmark"
          />
          <Button type="submit" leftSection={<IconBookmarkPlus size={16} />}>
            Add
          </Button>
        </Group>
      </form>
      {bookmarks.length === 0 && (
        <Text size="sm" c="dimmed">
          No bookmarks yet. They are kept in this browser; a link can carry them to others.
        </Text>
      )}
      <Stack component="ul" gap={6} p={0} m={0} style={{ listStyle: "none" }} aria-label="Bookmarks">
        {bookmarks.map((one) => (
          <BookmarkRow key={one.id} scope={scope} bookmark={one} />
        ))}
      </Stack>
      {bookmarks.length > 0 && (
        <CopyButton value={linkWithBookmarks(scope)}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={<IconLink size={16} />} onClick={copy}>
              {copied ? "Link copied" : "Copy a link with these"}
            </Button>
          )}
        </CopyButton>
      )}
    </Stack>
  );
}
