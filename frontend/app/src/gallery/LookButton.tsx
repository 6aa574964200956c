import { Box, Button } from "@mantine/core";
import { IconMicroscope } from "@tabler/icons-react";
import { lookAt } from "../state/lookedAt";
import { FileChooser } from "../ui/FileChooser";
import galleryStyles from "./gallery.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** What reads and shows the file is fetched while it is being chosen. What does not come now is fetched again by who needs it. */
async function prepare(): Promise<void> {
  try {
    const pages = [import("../incoming/IncomingPage"), import("../local/LocalPage")];
    const { prepareReader } = await import("@wavescope/core/local/reader");
    prepareReader();
    await Promise.all(pages);
  } catch {
    return;
  }
}

/** A file of this computer is looked at without an upload: everyone may. */
export function LookButton() {
  return (
    <FileChooser onChoose={lookAt}>
      {({ onClick, ...props }) => (
        <Button
          {...props}
          onClick={() => {
            void prepare();
            onClick();
          }}
          variant="default"
          className={galleryStyles.join}
          aria-label={t("gallery.lookNow")}
          title={t("gallery.lookNowHint")}
          leftSection={<IconMicroscope size={16} />}
        >
          <Box component="span" visibleFrom="md">
            {t("gallery.lookNow")}
          </Box>
        </Button>
      )}
    </FileChooser>
  );
}
