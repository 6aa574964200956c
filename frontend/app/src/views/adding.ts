/** Pictures of the view, and the page of views that they are added to. Comes when it is needed: import it dynamically. */
import { readAccount } from "@wavescope/core/wire/accounts/accountClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { principalOf } from "@wavescope/core/wire/stored/policy";
import { newId } from "@wavescope/viewer/core/newId";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { parseViewLink, viewLinkHash } from "@wavescope/viewer/core/viewLink";
import { lightOf } from "@wavescope/viewer/light/light";
import { readViewLink, showViewLink } from "@wavescope/viewer/view/view";
import { PICTURE_PARTS, type PictureFormat, type PicturePart } from "@wavescope/viewer/view/pictureParts";
import { canvasBlob, pictureName, viewCanvas, viewCaption, viewPicture } from "@wavescope/viewer/view/viewPicture";
import { navigate, slidePath } from "../state/router";
import { notify, notifyFailure, notifyWithAction } from "../ui/notice";
import { type CountItem, type Item, MAX_ITEMS } from "./sheets";
import { changeViews, openViews, views } from "./viewsStore";
import { t } from "@wavescope/core/i18n/i18n";

/** Until the view is as good as it can be. */
async function atRest(microscope: Microscope): Promise<void> {
  await Promise.all([microscope.idle(), lightOf(microscope).ready()]);
}

/** The view as a file, once it is at rest, and a name for it. */
export async function takePicture(
  microscope: Microscope,
  parts: readonly PicturePart[],
  format: PictureFormat,
): Promise<{ readonly file: Blob; readonly name: string }> {
  await atRest(microscope);
  return { file: await viewPicture(microscope, parts, format), name: pictureName(microscope, format) };
}

const QUALITY = 0.92;

/** The view that is shown now, with its picture as it is on the screen. */
export async function addView(microscope: Microscope, parts: readonly PicturePart[]): Promise<void> {
  await addItems(async () => [await viewItem(microscope, parts, viewCaption(microscope))]);
}

interface Named {
  readonly name: string;
  /** The hash of its link. */
  readonly place: string;
}

/** Several views: each is shown for its picture, then the one of before again. */
export async function addPlaces(microscope: Microscope, places: readonly Named[]): Promise<void> {
  const before = readViewLink(microscope);
  await addItems(async () => {
    const items: Item[] = [];
    try {
      for (const { name, place } of places) {
        const link = parseViewLink(place);
        if (!link) continue;
        showViewLink(microscope, link, true);
        items.push(await viewItem(microscope, PICTURE_PARTS, name));
      }
    } finally {
      showViewLink(microscope, before, true);
    }
    return items;
  });
}

/** The result of a count. */
export async function addCount(
  microscope: Microscope,
  table: Pick<CountItem, "caption" | "head" | "rows" | "notes">,
): Promise<void> {
  await addItems(() => Promise.resolve([{ kind: "count", id: newId(), ...placeOf(microscope), ...table }]));
}

function placeOf(microscope: Microscope): Pick<CountItem, "slide" | "link"> {
  const { id, title } = microscope.manifest;
  return { slide: title, link: slidePath(id) + viewLinkHash(readViewLink(microscope)) };
}

/** The view that is shown, once it is at rest. */
export async function viewItem(microscope: Microscope, parts: readonly PicturePart[], caption: string): Promise<Item> {
  await atRest(microscope);
  const picture = await canvasBlob(viewCanvas(microscope, parts), "image/jpeg", QUALITY);
  const { width, height } = microscope.canvas;
  return { kind: "view", id: newId(), ...placeOf(microscope), caption, picture, shape: { width, height, parts } };
}

/** Whose page it is, is asked each time: another user may have signed in. */
export async function addItems(make: () => Promise<readonly Item[]>): Promise<void> {
  try {
    const made = await make();
    const principal = await readAccount().then(principalOf, () => views.getState().principal);
    if (principal !== null || views.getState().principal !== null) await openViews(principal);
    const { items } = views.getState();
    if (items.length + made.length > MAX_ITEMS) return notify(t("views.full", { count: MAX_ITEMS }));
    await changeViews({ items: [...items, ...made] });
    notifyWithAction(t("views.added", { count: items.length + made.length }), {
      label: t("views.open"),
      run: () => navigate("/views"),
    });
  } catch (error) {
    notifyFailure(t("views.notAdded"), explain(error));
  }
}
