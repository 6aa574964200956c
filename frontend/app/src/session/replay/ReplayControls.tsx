import { NativeSelect } from "@mantine/core";
import { useStore } from "zustand";
import { decimal, inOrder } from "@wavescope/core/geometry/figures";
import { t } from "@wavescope/core/i18n/i18n";
import { type ReplayLink, SPEEDS } from "../state/replaying";

/** Whether the recording plays, what its button is called now, and what the button does. */
export function usePlayButton(link: ReplayLink): {
  readonly playing: boolean;
  readonly label: string;
  readonly press: () => void;
} {
  const { playing } = useStore(link.playing);
  return { playing, label: playing ? t("session.pause") : t("session.play"), press: () => link.play(!playing) };
}

export function SpeedSelect({ link }: { readonly link: ReplayLink }) {
  const { speed } = useStore(link.playing);
  return (
    <NativeSelect
      aria-label={t("session.speed")}
      w={84}
      size="xs"
      data={SPEEDS.map((one) => ({ value: String(one), label: inOrder(`${decimal(one)}×`) }))}
      value={String(speed)}
      onChange={(event) => link.setSpeed(Number(event.currentTarget.value))}
    />
  );
}
