/** The view as a picture. */
import type { Microscope } from "../../../viewer/core/microscope";
import { pictureName, viewPicture } from "../../../viewer/view/viewPicture";
import { notify, notifyFailure } from "../../ui/notice";
import type { Command } from "../../microscope/parts";
import { t } from "../../../i18n/i18n";

export const pictureCommands: readonly Command[] = [
  {
    id: "picture.save",
    group: t("keyboard.picture"),
    title: t("picture.savePng"),
    keys: ["Shift+p"],
    run: ({ scope }) => void savePicture(scope),
  },
];

/** Waits until the view is as good as it can be, then offers it as a file, and says so. */
export async function savePicture(scope: Microscope): Promise<void> {
  await scope.idle();
  try {
    const url = URL.createObjectURL(await viewPicture(scope));
    const link = document.createElement("a");
    link.href = url;
    link.download = pictureName(scope);
    link.click();
    notify(t("picture.saved", { name: link.download }));
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    notifyFailure(t("picture.noPicture"), error instanceof Error ? error.message : String(error));
  }
}
