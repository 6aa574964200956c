import { Badge, Tooltip } from "@mantine/core";
import { useStore } from "zustand";
import { isPlain } from "../../../viewer/light/adjustments";
import { lightOf } from "../../../viewer/light/light";
import type { Microscope } from "../../../viewer/core/microscope";
import { showPanel } from "../../microscope/panelState";

/** Says so whenever the colours on the screen are not those stored. */
export function LightBadge({ scope }: { readonly scope: Microscope }) {
  const { adjustments, colour, profiled } = useStore(lightOf(scope).state);
  const adjusted = !isPlain(adjustments);
  if (!adjusted && !profiled) return null;
  const profile = profiled ? `ICC profile applied: ${colour?.profile ?? "without a name"}.` : "";
  const words = `${adjusted ? "Brightness or colour is adjusted on the screen. " : ""}${profile}`;
  return (
    <Tooltip label={words} multiline maw={320}>
      <Badge
        component="button"
        variant="default"
        tt="none"
        style={{ cursor: "pointer" }}
        onClick={() => showPanel("light")}
        aria-label={`${words} Open image adjustments`}
        data-testid="light-badge"
      >
        {adjusted ? "Adjusted" : "ICC"}
      </Badge>
    </Tooltip>
  );
}
