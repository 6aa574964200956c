/** The view as a picture. */
import { explain } from "@wavescope/core/wire/http/explain";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { viewLinkHash } from "@wavescope/viewer/core/viewLink";
import { readViewLink } from "@wavescope/viewer/view/view";
import { navigate } from "../../state/router";
import { notify, notifyFailure } from "../../ui/notice";
import type { Command } from "../../microscope/parts";
import { saveFile } from "../../ui/saveFile";
import { picturing } from "./picturing";
import { t } from "@wavescope/core/i18n/i18n";

export const pictureCommands: readonly Command[] = [
  {
    id: "picture.save",
    group: t("keyboard.picture"),
    title: t("picture.save"),
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

/** Of the page of a service, which has a page of views. */
export const addToPage: Command = {
  id: "picture.addToPage",
  group: t("keyboard.picture"),
  title: t("picture.addToPage"),
  keys: [],
  run: ({ microscope }) => void addToViews(microscope),
};

export const openPage: Command = {
  id: "picture.openPage",
  group: t("keyboard.picture"),
  title: t("picture.openPage"),
  keys: [],
  run: () => navigate("/views"),
};

/** Waits until the view is as good as it can be, then offers it as a file, and says so. */
export async function savePicture(microscope: Microscope): Promise<void> {
  try {
    const { format, parts } = picturing.getState();
    const { file, name } = await (await adding()).takePicture(microscope, parts, format);
    notify(t("picture.saved", { name: saveFile(name, file) }));
  } catch (error) {
    fail(error);
  }
}

/** The same picture to the clipboard, which takes PNG alone. */
export async function copyPicture(microscope: Microscope): Promise<void> {
  try {
    // the browser asks for the promise now, while it knows of the user's click
    await navigator.clipboard.write([new ClipboardItem({ "image/png": pngAtRest(microscope) })]);
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
    notifyFailure(t("picture.noLink"), explain(error));
  }
}

async function pngAtRest(microscope: Microscope): Promise<Blob> {
  const { takePicture } = await adding();
  return (await takePicture(microscope, picturing.getState().parts, "png")).file;
}

/** Adds the view to the page of views. */
export async function addToViews(microscope: Microscope): Promise<void> {
  try {
    await (await adding()).addView(microscope, picturing.getState().parts);
  } catch (error) {
    fail(error);
  }
}

const adding = () => import("../../views/adding");

function fail(error: unknown): void {
  notifyFailure(t("picture.noPicture"), explain(error));
}
