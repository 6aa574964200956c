/** Bookmarks and the trail. */
import { tell } from "../../ui/notice";
import type { Command } from "../parts";
import { addHere } from "./bookmarks";
import { clearTrail, toggleTrail } from "./viewedAreas";
import { t } from "../../../i18n/i18n";

export const bookmarkCommands: readonly Command[] = [
  {
    id: "place.bookmark",
    group: "Places",
    title: t("microscope.addBookmark"),
    keys: ["Shift+b"],
    run: ({ scope }) => tell(`Bookmarked: ${addHere(scope).name}`),
  },
  {
    id: "place.back",
    group: "Places",
    title: t("microscope.previousView"),
    keys: ["Backspace"],
    run: () => history.back(),
  },
  {
    id: "place.trail",
    group: "Places",
    title: t("microscope.viewedAreasOnOrOff"),
    keys: ["Shift+v"],
    run: ({ scope }) => toggleTrail(scope),
  },
  {
    id: "place.clear-trail",
    group: "Places",
    title: t("microscope.clearViewedAreas"),
    keys: [],
    run: ({ scope }) => clearTrail(scope),
  },
];
