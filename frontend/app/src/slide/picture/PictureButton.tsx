import { ActionIcon, Tooltip } from "@mantine/core";
import { IconCamera } from "@tabler/icons-react";
import type { PartProps } from "../../microscope/parts";
import styles from "../../microscope/slide.module.css";
import { savePicture } from "./commands";
import { t } from "@wavescope/core/i18n/i18n";

/** Saves what the screen shows; on phones, where the title needs the room, the export dialog and the commands do. */
export function PictureButton({ microscope }: Pick<PartProps, "microscope">) {
  return (
    <Tooltip label={t("picture.saveWithKey")}>
      <ActionIcon
        className={styles.picture}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t("picture.savePng")}
        onClick={() => void savePicture(microscope)}
      >
        <IconCamera size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
