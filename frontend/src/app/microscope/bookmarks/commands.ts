/** Bookmarks and the trail. */
import { tell } from "../../ui/notice";
import type { Command } from "../parts";
import { addHere } from "./bookmarks";
import { clearTrail, toggleTrail } from "./viewedAreas";

export const placeCommands: readonly Command[] = [
  {
    id: "place.bookmark",
    group: "Places",
    title: "Bookmark this place",
    keys: ["Shift+b"],
    run: ({ scope }) => tell(`Bookmarked: ${addHere(scope).name}`),
  },
  { id: "place.back", group: "Places", title: "Previous view", keys: ["Backspace"], run: () => history.back() },
  {
    id: "place.trail",
    group: "Places",
    title: "Show or hide viewed areas",
    keys: ["Shift+v"],
    run: ({ scope }) => toggleTrail(scope),
  },
  {
    id: "place.clear-trail",
    group: "Places",
    title: "Clear viewed areas",
    keys: [],
    run: ({ scope }) => clearTrail(scope),
  },
];
