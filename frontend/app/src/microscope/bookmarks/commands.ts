/** Bookmarks and viewed areas. */
import { isEditing } from "@wavescope/viewer/annotate/annotations";
import { notify } from "../../ui/notice";
import type { Command } from "../parts";
import { addHere } from "./bookmarks";
import { clearViewedAreas, toggleViewedAreas } from "./viewedAreas";
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
  {
    id: "place.viewed-areas",
    group: t("keyboard.bookmarks"),
    title: t("microscope.viewedAreasOnOrOff"),
    keys: ["Shift+v"],
    run: ({ microscope }) => toggleViewedAreas(microscope),
  },
  {
    id: "place.clear-viewed-areas",
    group: t("keyboard.bookmarks"),
    title: t("microscope.clearViewedAreas"),
    keys: [],
    run: ({ microscope }) => clearViewedAreas(microscope),
  },
];
