import { Switch, Text } from "@mantine/core";
import type { Colour } from "@wavescope/core/wire/slides/colourClient";
import { t } from "@wavescope/core/i18n/i18n";

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
        label={t("light.scannerProfile")}
        checked={usable && applied}
        disabled={!usable}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {profileText(colour, applied)}
      </Text>
    </div>
  );
}

function profileText(colour: Colour | null, applied: boolean): string {
  if (!colour) return t("light.loading");
  const name = colour.profile ?? t("light.unnamedProfile");
  switch (colour.state) {
    case "none":
      return t("light.noProfile");
    case "same":
      return t("light.sameAsSrgb", { name });
    case "unusable":
      return t("light.badProfile");
    case "unapplied":
      return t("light.unapplied");
    case "table":
      return applied ? t("light.applied", { name }) : t("light.notApplied", { name });
  }
}
