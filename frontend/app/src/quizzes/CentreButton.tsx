import { Button, type ButtonProps } from "@mantine/core";
import { t } from "@wavescope/core/i18n/i18n";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { readView } from "@wavescope/viewer/view/view";

interface Props {
  readonly microscope: Microscope;
  readonly size: ButtonProps["size"];
  /** Level-0 pixels. */
  readonly onSpot: (l0_x: number, l0_y: number) => void;
}

/** Takes the centre of the view as a spot, for those who do not click on the slide. */
export function CentreButton({ microscope, size, onSpot }: Props) {
  const take = (): void => {
    const { l0_x, l0_y } = readView(microscope);
    onSpot(l0_x, l0_y);
  };
  return (
    <Button size={size} variant="default" onClick={take}>
      {t("quizzes.useCentre")}
    </Button>
  );
}
