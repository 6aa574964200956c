import { ActionIcon, Tooltip } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useStore } from "zustand";
import { allows } from "@wavescope/core/wire/slides/manifest";
import type { PartProps } from "../../microscope/parts";
import { ExportDialog } from "./ExportDialog";
import { exporting, showExporting } from "./exporting";
import { t } from "@wavescope/core/i18n/i18n";

/** The export of a region: its button in the top bar and its dialog. */
export function ExportButton(props: PartProps) {
  const open = useStore(exporting, (state) => state.open);
  if (!allows(props.manifest, "export")) return null;
  return (
    <>
      <Tooltip label={t("exporting.exportRegionWithKey")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t("exporting.exportRegion")}
          onClick={() => showExporting(true)}
        >
          <IconDownload size={18} />
        </ActionIcon>
      </Tooltip>
      {open && <ExportDialog {...props} onClose={() => showExporting(false)} />}
    </>
  );
}
