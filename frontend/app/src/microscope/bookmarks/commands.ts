/** Bookmarks. */
import { isEditing } from "@wavescope/viewer/annotate/annotations";
import { notify } from "../../ui/notice";
import type { Command } from "../parts";
import { addHere } from "./bookmarks";
import { t } from "@wavescope/core/i18n/i18n";

export const bookmarkCommands: readonly Command[] = [
  {
    id: "place.bookmark",
    group: t("keyboard.bookmarks"),
    title: t("microscope.addBookmark"),
    keys: ["Shift+b"],
    run: ({ microscope }) => notify(t("microscope.bookmarked", { name: addHere(microscope).name })),
  },
  {
    id: "place.back",
    group: t("keyboard.bookmarks"),
    title: t("microscope.previousView"),
    keys: ["Backspace"],
    available: ({ microscope }) => !isEditing(microscope),
    run: () => history.back(),
  },
];
