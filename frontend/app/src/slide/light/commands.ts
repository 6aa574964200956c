/** Image adjustments by keys. */
import { lightOf, readLight, setLight } from "@wavescope/viewer/light/light";
import { notify } from "../../ui/notice";
import { type ChannelMixing, mixingOf } from "./channelMixing";
import { resetLight } from "./resetLight";
import { aloneWith, hasStains, ownVectors } from "./stainChoice";
import type { Command } from "../../microscope/parts";
import { t } from "@wavescope/core/i18n/i18n";

const stains = [t("stains.haematoxylin"), t("stains.eosin"), t("stains.dab")];

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
  ...stains.map(
    (name, s): Command => ({
      id: `light.stain${s + 1}`,
      group: t("light.imageAdjustments"),
      title: t("stains.showOnly", { name }),
      keys: [],
      available: ({ manifest }) => hasStains(manifest),
      run: ({ microscope }) => {
        const shown = readLight(microscope);
        setLight(microscope, { ...shown, stain: aloneWith(s + 1, ownVectors(shown)) });
      },
    }),
  ),
];

async function stepMix(mixing: ChannelMixing, by: 1 | -1): Promise<void> {
  await mixing.load().catch(() => undefined); // the groups of the slide are there without
  const name = mixing.step(by);
  if (name !== null) notify(name);
}
