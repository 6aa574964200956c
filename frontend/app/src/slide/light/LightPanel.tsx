import { Button, Divider, Stack, Switch } from "@mantine/core";
import { useStore } from "zustand";
import { isPlain } from "@wavescope/viewer/light/adjustments";
import { lightOf } from "@wavescope/viewer/light/light";
import type { PartProps } from "../../microscope/parts";
import { settings } from "../../microscope/settings";
import { ChannelList } from "./ChannelList";
import { ProfileSwitch } from "./ProfileSwitch";
import { QuantitySlider } from "./QuantitySlider";
import { resetLight } from "./resetLight";
import { StainSection } from "./StainSection";
import { WhitePoint } from "./WhitePoint";
import { t } from "@wavescope/core/i18n/i18n";

/** Image adjustments, the most used first: only what is shown changes, never what is stored. */
export function LightPanel({ microscope, manifest }: PartProps) {
  const light = lightOf(microscope);
  const { adjustments, colour, filter } = useStore(light.state);
  const values = useStore(settings, (state) => state.values);
  const change = (part: Partial<typeof adjustments>): void =>
    light.set({ ...light.state.getState().adjustments, ...part });
  return (
    <Stack gap="md" data-testid="light-panel" data-filter={filter ?? "none"}>
      <ChannelList microscope={microscope} manifest={manifest} />
      <WhitePoint microscope={microscope} white={adjustments.white} onChange={(white) => change({ white })} />
      <QuantitySlider quantity="brightness" adjustments={adjustments} onChange={change} />
      <QuantitySlider quantity="contrast" adjustments={adjustments} onChange={change} />
      <QuantitySlider quantity="gamma" adjustments={adjustments} onChange={change} />
      <QuantitySlider quantity="saturation" adjustments={adjustments} onChange={change} />
      <StainSection microscope={microscope} manifest={manifest} />
      {(adjustments.stain || manifest.groups) && (
        <Switch
          label={t("light.valuesInStatusLine")}
          checked={values}
          onChange={(event) => settings.setState({ values: event.currentTarget.checked })}
        />
      )}
      <Button
        variant="default"
        disabled={isPlain(adjustments) && adjustments.profile && !adjustments.mix}
        onClick={() => resetLight(microscope)}
      >
        {t("light.resetAll")}
      </Button>
      <Divider />
      <ProfileSwitch colour={colour} applied={adjustments.profile} onChange={(profile) => change({ profile })} />
    </Stack>
  );
}
