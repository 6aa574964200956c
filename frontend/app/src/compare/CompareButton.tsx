import { ActionIcon } from "@mantine/core";
import { IconColumns2 } from "@tabler/icons-react";
import type { PartProps } from "../microscope/parts";
import { KeyTooltip } from "../ui/keys/KeyTooltip";
import { SlideChooser } from "./SlideChooser";
import { compareWith } from "./goCompare";
import { t } from "@wavescope/core/i18n/i18n";

/** In the top bar of a slide. */
export function CompareButton({ microscope }: PartProps) {
  return (
    <>
      <KeyTooltip label={t("compare.compareWithHint")} commands={["compare.with"]}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t("compare.compareWithAnother")}
          onClick={() => compareWith(microscope)}
        >
          <IconColumns2 size={18} />
        </ActionIcon>
      </KeyTooltip>
      <SlideChooser />
    </>
  );
}
