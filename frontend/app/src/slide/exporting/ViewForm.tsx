import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { IconCamera, IconCopy, IconFilePlus, IconLink } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { sizeLabel } from "../../ui/format";
import type { PartProps } from "../../microscope/parts";
import { addToViews, copyLink, copyPicture, savePicture } from "../picture/commands";
import { picturing } from "../picture/picturing";
import { PictureParts } from "./PictureParts";
import { t } from "@wavescope/core/i18n/i18n";

const FORMATS = [
  { value: "png", label: t("exporting.viewPng") },
  { value: "tiff", label: t("exporting.viewTiff") },
];

/** The view as the screen shows it: to save, to copy, for the page of views, as a link. */
export function ViewForm({ microscope, manifest, onClose }: PartProps & { readonly onClose: () => void }) {
  const { format, parts } = useStore(picturing);
  const { width, height } = microscope.canvas;
  const ofView = (run: (shown: Microscope) => Promise<void>) => (): void => {
    onClose();
    void run(microscope);
  };
  return (
    <Stack gap="sm" data-testid="view-form">
      <Select
        label={t("exporting.format")}
        data={FORMATS}
        value={format}
        onChange={(value) => picturing.setState({ format: value === "tiff" ? "tiff" : "png" })}
        allowDeselect={false}
      />
      <PictureParts region={null} value={parts} onChange={(value) => picturing.setState({ parts: value })} />
      <Text size="sm" c="dimmed">
        {t("exporting.viewSize", { size: sizeLabel(width, height) })}
      </Text>
      {format === "tiff" && !manifest.mpp && <Text size="sm">{t("exporting.noScaleHint")}</Text>}
      <Group gap="xs" justify="flex-end">
        <Button variant="default" leftSection={<IconLink size={16} />} onClick={ofView(copyLink)}>
          {t("exporting.copyLink")}
        </Button>
        {!manifest.files && !manifest.preview && (
          <Button variant="default" leftSection={<IconFilePlus size={16} />} onClick={ofView(addToViews)}>
            {t("exporting.addToPage")}
          </Button>
        )}
        <Button variant="default" leftSection={<IconCopy size={16} />} onClick={ofView(copyPicture)}>
          {t("exporting.copy")}
        </Button>
        <Button leftSection={<IconCamera size={16} />} onClick={ofView(savePicture)}>
          {t("exporting.save")}
        </Button>
      </Group>
    </Stack>
  );
}
