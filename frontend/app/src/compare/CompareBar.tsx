import { ActionIcon, SegmentedControl, Tooltip } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import {
  IconArrowLeft,
  IconArrowsLeftRight,
  IconCommand,
  IconFocusCentered,
  IconKeyboard,
  IconLink,
  IconLinkOff,
  IconMapPins,
  IconMaximize,
  IconWand,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { SchemeToggle } from "../ui/SchemeToggle";
import { addressOf, follow } from "../state/router";
import { showKeyboardMap } from "../microscope/panelState";
import { toggleFullScreen } from "../microscope/fullScreen";
import slideStyles from "../microscope/slide.module.css";
import styles from "./compare.module.css";
import { t } from "@wavescope/core/i18n/i18n";

export function CompareBar({ comparison }: { readonly comparison: Comparison | null }) {
  return (
    <header className={`${slideStyles.topBar} ${styles.bar}`}>
      <Tooltip label={t("compare.toGallery")}>
        <ActionIcon
          component="a"
          href={addressOf("/")}
          onClick={(event: React.MouseEvent) => follow(event, "/")}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t("compare.toGallery")}
        >
          <IconArrowLeft size={18} />
        </ActionIcon>
      </Tooltip>
      <h1 className={styles.heading}>{t("compare.compare")}</h1>
      {comparison && <Tools comparison={comparison} />}
      <span className={styles.rest} />
      <BarButton
        label={t("common.commandsWithKey")}
        icon={<IconCommand size={18} />}
        onClick={() => spotlight.open()}
      />
      <BarButton
        className={styles.keys}
        label={t("common.keyboardWithKey")}
        icon={<IconKeyboard size={18} />}
        onClick={() => showKeyboardMap(true)}
      />
      <SchemeToggle className={slideStyles.theme} />
      <BarButton
        label={t("compare.fullScreenWithKey")}
        icon={<IconMaximize size={18} />}
        onClick={() => toggleFullScreen()}
      />
    </header>
  );
}

function Tools({ comparison }: { readonly comparison: Comparison }) {
  const { mode, link } = useStore(comparison.state);
  const marking = useStore(comparison.marking.state, ({ on }) => on);
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t("compare.layout")}
        data={[
          { value: "side", label: t("compare.sideBySide") },
          { value: "swipe", label: t("compare.swipe") },
        ]}
        value={mode}
        onChange={(value) => comparison.setMode(value)}
      />
      <BarButton
        label={link ? t("compare.unlinkHint") : t("compare.linkHint")}
        name={t("compare.linked")}
        pressed={link !== null}
        icon={link ? <IconLink size={18} /> : <IconLinkOff size={18} />}
        onClick={() => (link ? comparison.unlink() : comparison.link())}
      />
      <BarButton
        label={t("compare.alignCentresWithKey")}
        icon={<IconFocusCentered size={18} />}
        onClick={() => comparison.alignCentres()}
      />
      <BarButton
        label={t("compare.alignAutomaticallyWithKey")}
        name={t("compare.alignAutomatically")}
        icon={<IconWand size={18} />}
        onClick={() => comparison.alignAutomatically()}
      />
      <BarButton
        label={t("compare.landmarksWithKey")}
        name={t("compare.landmarks")}
        pressed={marking}
        icon={<IconMapPins size={18} />}
        onClick={() => comparison.marking.setOn(!marking)}
      />
      {mode === "swipe" && <SwipeTools comparison={comparison} />}
    </>
  );
}

function SwipeTools({ comparison }: { readonly comparison: Comparison }) {
  const { blend, swapped } = useStore(comparison.state);
  return (
    <>
      <BarButton
        label={t("compare.flipWithKey")}
        pressed={swapped}
        icon={<IconArrowsLeftRight size={18} />}
        onClick={() => comparison.swap()}
      />
      <label className={styles.blend}>
        <span>{t("compare.blend")}</span>
        <input
          type="range"
          min={0}
          max={100}
          step={1}
          value={Math.round(100 * blend)}
          onChange={(event) => comparison.setBlend(Number(event.currentTarget.value) / 100)}
          aria-label={t("compare.blendHint")}
          aria-valuetext={t("compare.percentOfB", { percent: Math.round(100 * blend) })}
          data-testid="blend"
        />
      </label>
    </>
  );
}

interface BarButtonProps {
  readonly className?: string;
  readonly label: string;
  /** Its name where the tooltip says more. */
  readonly name?: string;
  readonly icon: ReactNode;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

function BarButton({ className, label, name = label, icon, pressed, onClick }: BarButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        className={className}
        variant={pressed ? "light" : "subtle"}
        color={pressed ? undefined : "gray"}
        size="lg"
        aria-label={name}
        aria-pressed={pressed}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
