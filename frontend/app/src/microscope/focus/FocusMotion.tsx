import { ActionIcon } from "@mantine/core";
import { IconLayersIntersect, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useEffect } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { lightOf } from "@wavescope/viewer/light/light";
import { canExtend, endExtendedWithPlane, toggleExtended } from "@wavescope/viewer/light/extended";
import { changeSpeed, playingOf } from "@wavescope/viewer/navigation/focusing";
import styles from "./focus.module.css";
import { OWN, playFocus } from "./focusing";
import { Hint } from "../../ui/later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly microscope: Microscope;
}

/** Plays through the planes. */
export function PlayButtons({ microscope }: Props) {
  const { playing, speed } = useStore(playingOf(microscope));
  return (
    <>
      <Hint label={`${t(playing ? "focus.stop" : "focus.play")} (Shift+K)`} position="right">
        <ActionIcon
          {...OWN}
          className={styles.more}
          variant={playing ? "filled" : "subtle"}
          color={playing ? undefined : "gray"}
          onClick={() => playFocus(microscope)}
          aria-label={t("focus.play")}
          aria-pressed={playing}
        >
          {playing ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
        </ActionIcon>
      </Hint>
      {playing && (
        <Hint label={t("focus.speed", { speed })} position="right">
          <ActionIcon
            {...OWN}
            variant="subtle"
            color="gray"
            className={styles.speed}
            onClick={() => changeSpeed(microscope)}
            aria-label={t("focus.speed", { speed })}
          >
            {speed}/s
          </ActionIcon>
        </Hint>
      )}
    </>
  );
}

/** All planes in one picture, and the words that it is computed. */
export function ExtendedButton({ microscope }: Props) {
  const on = useStore(lightOf(microscope).state, ({ adjustments }) => adjustments.extended);
  useEffect(() => endExtendedWithPlane(microscope), [microscope]);
  if (!canExtend(microscope)) return null;
  return (
    <>
      <Hint label={`${t("focus.extended")} (Shift+Z)`} position="right">
        <ActionIcon
          className={styles.more}
          variant={on ? "filled" : "subtle"}
          color={on ? undefined : "gray"}
          onClick={() => toggleExtended(microscope)}
          aria-label={t("focus.extended")}
          aria-pressed={on}
        >
          <IconLayersIntersect size={16} />
        </ActionIcon>
      </Hint>
      {on && (
        <div className={styles.computed} role="status" title={t("focus.extendedHint")} data-testid="focus-badge">
          {t("focus.extendedComputed")}
        </div>
      )}
    </>
  );
}
