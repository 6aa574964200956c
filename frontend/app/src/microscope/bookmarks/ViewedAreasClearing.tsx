import { ActionIcon } from "@mantine/core";
import { IconEraser } from "@tabler/icons-react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { clearViewedAreas } from "./viewedAreas";
import { Hint } from "../../ui/later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly microscope: Microscope;
  readonly disabled: boolean;
}

export function ViewedAreasClearing({ microscope, disabled }: Props) {
  return (
    <Hint label={t("microscope.clearViewedAreas")} position="left">
      <ActionIcon
        variant="default"
        size="sm"
        onClick={() => clearViewedAreas(microscope)}
        aria-label={t("microscope.clearViewedAreas")}
        disabled={disabled}
      >
        <IconEraser size={14} />
      </ActionIcon>
    </Hint>
  );
}
