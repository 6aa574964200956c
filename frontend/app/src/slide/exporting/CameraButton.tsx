import { ActionIcon } from "@mantine/core";
import { IconCamera } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { PartProps } from "../../microscope/parts";
import { KeyTooltip } from "../../ui/keys/KeyTooltip";
import { CameraDialog } from "./CameraDialog";
import { exporting, showCamera } from "./exporting";
import { t } from "@wavescope/core/i18n/i18n";

/** The camera: its button in the top bar and its dialog. */
export function CameraButton(props: PartProps) {
  const what = useStore(exporting, (state) => state.open);
  return (
    <>
      <KeyTooltip label={t("exporting.cameraHint")} commands={["picture.save", "export.region"]}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t("exporting.camera")}
          onClick={() => showCamera("view")}
        >
          <IconCamera size={18} />
        </ActionIcon>
      </KeyTooltip>
      {what !== null && <CameraDialog {...props} first={what} onClose={() => showCamera(null)} />}
    </>
  );
}
