import { ActionIcon, Tooltip } from "@mantine/core";
import { IconColumns2 } from "@tabler/icons-react";
import type { PartProps } from "../microscope/parts";
import { SlideChooser } from "./SlideChooser";
import { compareWith } from "./goCompare";

/** In the top bar of a slide. */
export function CompareButton({ scope }: PartProps) {
  return (
    <>
      <Tooltip label="Compare with… (Shift+C)">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Compare with another slide"
          onClick={() => compareWith(scope)}
        >
          <IconColumns2 size={18} />
        </ActionIcon>
      </Tooltip>
      <SlideChooser />
    </>
  );
}
