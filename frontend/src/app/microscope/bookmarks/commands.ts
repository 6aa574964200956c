/** Bookmarks and viewed areas. */
import { isEditing } from "../../../viewer/annotate/annotations";
import { notify } from "../../ui/notice";
import type { Command } from "../parts";
import { addHere } from "./bookmarks";
import { clearViewedAreas, toggleViewedAreas } from "./viewedAreas";
import { t } from "../../../i18n/i18n";

export const bookmarkCommands: readonly Command[] = [
  {
    id: "place.bookmark",
    group: t("keyboard.bookmarks"),
    title: t("microscope.addBookmark"),
    keys: ["Shift+b"],
    run: ({ scope }) => notify(t("microscope.bookmarked", { name: addHere(scope).name })),
  },
  {
    id: "place.back",
    group: t("keyboard.bookmarks"),
    title: t("microscope.previousView"),
    keys: ["Backspace"],
    available: ({ scope }) => !isEditing(scope),
    run: () => history.back(),
  },
  {
    id: "place.viewed-areas",
    group: t("keyboard.bookmarks"),
    title: t("microscope.viewedAreasOnOrOff"),
    keys: ["Shift+v"],
    run: ({ scope }) => toggleViewedAreas(scope),
  },
  {
    id: "place.clear-viewed-areas",
    group: t("keyboard.bookmarks"),
    title: t("microscope.clearViewedAreas"),
    keys: [],
    run: ({ scope }) => clearViewedAreas(scope),
  },
];
