import { Switch, Text } from "@mantine/core";
import type { Colour } from "../../../wire/slides/colourClient";
import { t } from "../../../i18n/i18n";

interface Props {
  readonly colour: Colour | null;
  readonly applied: boolean;
  readonly onChange: (applied: boolean) => void;
}

/** The scanner's ICC profile: which one, and whether the colours go through it. */
export function ProfileSwitch({ colour, applied, onChange }: Props) {
  const usable = colour?.state === "table";
  return (
    <div data-testid="profile" data-state={colour?.state ?? "asking"}>
      <Switch
        label={t("light.scannerColourProfileIcc")}
        checked={usable && applied}
        disabled={!usable}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {wordsOf(colour, applied)}
      </Text>
    </div>
  );
}

function wordsOf(colour: Colour | null, applied: boolean): string {
  if (!colour) return "Loading…";
  const name = colour.profile ?? t("light.aProfileWithoutName");
  switch (colour.state) {
    case "none":
      return t("light.noProfileInThisSlide");
    case "same":
      return t("light.nameSameColoursAsSRGB", { name });
    case "unusable":
      return t("light.theProfileThisSlideCannot");
    case "table":
      return applied ? t("light.nameApplied", { name }) : t("light.nameNotAppliedColoursAs", { name });
  }
}
