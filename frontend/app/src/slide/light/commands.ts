/** Image adjustments by keys. */
import { lightOf, readLight, setLight } from "@wavescope/viewer/light/light";
import { notify } from "../../ui/notice";
import { type ChannelMixing, mixingOf } from "./channelMixing";
import { resetLight } from "./resetLight";
import type { Command } from "../../microscope/parts";
import { t } from "@wavescope/core/i18n/i18n";

export const lightCommands: readonly Command[] = [
  {
    id: "light.reset",
    group: t("light.imageAdjustments"),
    title: t("light.resetImageAdjustments"),
    keys: ["Shift+l"],
    run: ({ microscope }) => resetLight(microscope),
  },
  ...([1, -1] as const).map(
    (by): Command => ({
      id: by > 0 ? "light.nextMix" : "light.previousMix",
      group: t("light.imageAdjustments"),
      title: by > 0 ? t("light.nextMix") : t("light.previousMix"),
      keys: [by > 0 ? "j" : "Shift+j"],
      available: ({ microscope }) => mixingOf(microscope) !== null,
      run: ({ microscope }) => void stepMix(mixingOf(microscope)!, by),
    }),
  ),
  {
    id: "light.profile",
    group: t("light.imageAdjustments"),
    title: t("light.profileOnOrOff"),
    keys: ["Shift+i"],
    available: ({ microscope }) => lightOf(microscope).state.getState().colour?.state === "table",
    run: ({ microscope }) =>
      setLight(microscope, { ...readLight(microscope), profile: !readLight(microscope).profile }),
  },
];

async function stepMix(mixing: ChannelMixing, by: 1 | -1): Promise<void> {
  await mixing.load().catch(() => undefined); // the groups of the slide are there without
  const name = mixing.step(by);
  if (name !== null) notify(name);
}
