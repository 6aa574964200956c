import { Badge } from "@mantine/core";
import { useStore } from "zustand";
import { isPlain } from "@wavescope/viewer/light/adjustments";
import { lightOf } from "@wavescope/viewer/light/light";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { showPanel } from "../../microscope/panelState";
import { Hint } from "../../ui/later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

/** Says so whenever the colours on the screen are not those stored. */
export function LightBadge({ microscope }: { readonly microscope: Microscope }) {
  const { adjustments, colour, profiled, view } = useStore(lightOf(microscope).state);
  const adjusted = !isPlain(adjustments);
  if (!adjusted && !profiled) return null;
  const texts = [
    ...(view ? [`${view}.`] : []),
    ...(adjusted ? [t("light.adjustedHint")] : []),
    ...(profiled ? [t("light.profileApplied", { profile: colour?.profile ?? t("light.unnamedProfile") })] : []),
  ].join(" ");
  return (
    <Hint label={texts} multiline maw={320}>
      <Badge
        component="button"
        variant="default"
        tt="none"
        style={{ cursor: "pointer" }}
        onClick={() => showPanel("light")}
        aria-label={t("light.openHint", { texts })}
        data-testid="light-badge"
      >
        {view ?? (adjusted ? t("light.adjusted") : t("light.icc"))}
      </Badge>
    </Hint>
  );
}
