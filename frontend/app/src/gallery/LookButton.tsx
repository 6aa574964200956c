import { Button } from "@mantine/core";
import { IconMicroscope } from "@tabler/icons-react";
import { lookAt } from "../state/lookedAt";
import { FileChooser } from "../ui/FileChooser";
import galleryStyles from "./gallery.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** A file of this computer is looked at without an upload: everyone may. */
export function LookButton() {
  return (
    <FileChooser onChoose={lookAt}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          className={galleryStyles.join}
          aria-label={t("gallery.lookNow")}
          title={t("gallery.lookNowHint")}
          leftSection={<IconMicroscope size={16} />}
        >
          <span>{t("gallery.lookNow")}</span>
        </Button>
      )}
    </FileChooser>
  );
}
