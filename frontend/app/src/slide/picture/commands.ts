/** The view as a picture. */
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { lightOf } from "@wavescope/viewer/light/light";
import { viewLinkHash } from "@wavescope/viewer/core/viewLink";
import { readViewLink } from "@wavescope/viewer/view/view";
import { pictureName, viewPicture } from "@wavescope/viewer/view/viewPicture";
import { notify, notifyFailure } from "../../ui/notice";
import type { Command } from "../../microscope/parts";
import { t } from "@wavescope/core/i18n/i18n";

export const pictureCommands: readonly Command[] = [
  {
    id: "picture.save",
    group: t("keyboard.picture"),
    title: t("picture.savePng"),
    keys: ["Shift+p"],
    run: ({ microscope }) => void savePicture(microscope),
  },
  {
    id: "picture.copy",
    group: t("keyboard.picture"),
    title: t("picture.copy"),
    keys: [],
    run: ({ microscope }) => void copyPicture(microscope),
  },
  {
    id: "picture.copyLink",
    group: t("keyboard.picture"),
    title: t("picture.copyLink"),
    keys: [],
    run: ({ microscope }) => void copyLink(microscope),
  },
];

/** Waits until the view is as good as it can be, then offers it as a file, and says so. */
export async function savePicture(microscope: Microscope): Promise<void> {
  try {
    const url = URL.createObjectURL(await pictureAtRest(microscope));
    const link = document.createElement("a");
    link.href = url;
    link.download = pictureName(microscope);
    link.click();
    notify(t("picture.saved", { name: link.download }));
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    fail(error);
  }
}

/** The same picture to the clipboard. */
export async function copyPicture(microscope: Microscope): Promise<void> {
  try {
    // the browser asks for the promise now, while it knows of the user's click
    await navigator.clipboard.write([new ClipboardItem({ "image/png": pictureAtRest(microscope) })]);
    notify(t("picture.copied"));
  } catch (error) {
    fail(error);
  }
}

/** The address of the page with the view that is shown now. */
export async function copyLink(microscope: Microscope): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(viewLinkHash(readViewLink(microscope)), location.href).href);
    notify(t("common.linkCopied"));
  } catch (error) {
    notifyFailure(t("picture.noLink"), error instanceof Error ? error.message : String(error));
  }
}

async function pictureAtRest(microscope: Microscope): Promise<Blob> {
  await Promise.all([microscope.idle(), lightOf(microscope).ready()]);
  return viewPicture(microscope);
}

function fail(error: unknown): void {
  notifyFailure(t("picture.noPicture"), error instanceof Error ? error.message : String(error));
}
