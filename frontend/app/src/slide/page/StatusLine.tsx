import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { lightOf } from "@wavescope/viewer/light/light";
import { OwnPointer, type Pointed } from "@wavescope/viewer/live/ownPointer";
import { positionLabel, shownLabel } from "@wavescope/viewer/navigation/scale";
import { settings } from "../../microscope/settings";
import styles from "../../microscope/slide.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { LightBadge } from "../light/LightBadge";
import type { samplesAt } from "./channelSamples";
import type { amountsAt } from "./stainAmounts";

/** Whether the light is adjusted, the magnification, and where the pointer is. */
export function StatusLine({ microscope }: { readonly microscope: Microscope }) {
  const scale = useStore(microscope.state, (state) => state.scale);
  return (
    <>
      <LightBadge microscope={microscope} />
      <Text size="xs" className={styles.position} data-testid="status-magnification">
        {shownLabel(scale, microscope.manifest)}
      </Text>
      <Text
        size="xs"
        c="dimmed"
        className={styles.position}
        title={t("page.pointerHint")}
        data-testid="pointer-position"
      >
        <PointerPosition microscope={microscope} />
      </Text>
    </>
  );
}

/**
 * Where the pointer is on the slide: in mm, in pixels where the slide has no scale; nothing while it is not over the slide. Where the user
 * wants values, of channels also the samples there, of a stain view the amounts.
 */
function PointerPosition({ microscope }: { readonly microscope: Microscope }) {
  const [at, setAt] = useState<Pointed>(null);
  useEffect(() => {
    const pointer = new OwnPointer(microscope, setAt);
    return () => pointer.close();
  }, [microscope]);
  const [samples, setSamples] = useState<{ readonly at: typeof samplesAt } | null>(null);
  const values = useStore(settings, (state) => state.values);
  useEffect(() => {
    if (values && microscope.manifest.groups)
      import("./channelSamples").then(
        (loaded) => setSamples({ at: loaded.samplesAt }),
        () => undefined, // the position alone
      );
  }, [microscope, values]);
  const view = useStore(lightOf(microscope).state, (state) => state.view);
  const [amounts, setAmounts] = useState<{ readonly at: typeof amountsAt } | null>(null);
  useEffect(() => {
    if (values && view)
      import("./stainAmounts").then(
        (loaded) => setAmounts({ at: loaded.amountsAt }),
        () => undefined, // the position alone
      );
  }, [view, values]);
  const { width, height } = microscope.pyramid;
  const on = at !== null && at.l0_x >= 0 && at.l0_y >= 0 && at.l0_x < width && at.l0_y < height;
  const read = on && values ? [...(samples?.at(microscope, at) ?? []), ...(amounts?.at(microscope, at) ?? [])] : [];
  return on && [...read, positionLabel(at, microscope.manifest.mpp)].join(" · ");
}
