import { Switch, Text } from "@mantine/core";
import type { Colour } from "../../../wire/slides/colourClient";

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
        label="Scanner colour profile (ICC)"
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
  const name = colour.profile ?? "a profile without a name";
  switch (colour.state) {
    case "none":
      return "No profile in this slide: assuming sRGB.";
    case "same":
      return `${name}: same colours as sRGB, nothing to convert.`;
    case "unusable":
      return "The profile of this slide cannot be used: assuming sRGB.";
    case "table":
      return applied ? `${name} is applied.` : `${name} is not applied: colours as stored.`;
  }
}
