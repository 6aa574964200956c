/** The view as a picture. */
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { lightOf } from "@wavescope/viewer/light/light";
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
];

/** Waits until the view is as good as it can be, then offers it as a file, and says so. */
export async function savePicture(microscope: Microscope): Promise<void> {
  await Promise.all([microscope.idle(), lightOf(microscope).ready()]);
  try {
    const url = URL.createObjectURL(await viewPicture(microscope));
    const link = document.createElement("a");
    link.href = url;
    link.download = pictureName(microscope);
    link.click();
    notify(t("picture.saved", { name: link.download }));
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    notifyFailure(t("picture.noPicture"), error instanceof Error ? error.message : String(error));
  }
}
