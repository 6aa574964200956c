import { ActionIcon, NativeSelect, SegmentedControl } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import {
  IconArrowLeft,
  IconArrowsLeftRight,
  IconColumnInsertRight,
  IconCommand,
  IconFocusCentered,
  IconKeyboard,
  IconLink,
  IconLinkOff,
  IconMapPins,
  IconMaximize,
  IconReceipt,
  IconWand,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { MAX_PANES, type TwoPanes, paneName } from "@wavescope/viewer/compare/address";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { KeyTooltip } from "../ui/keys/KeyTooltip";
import { SettingsButton } from "../settings/SettingsButton";
import { SchemeToggle } from "../ui/SchemeToggle";
import { addressOf, follow } from "../state/router";
import { showKeyboardMap } from "../microscope/panelState";
import { toggleFullScreen } from "../microscope/fullScreen";
import slideStyles from "../microscope/slide.module.css";
import { showReceipt } from "../receipt/dialog";
import { addSlide } from "./goCompare";
import styles from "./compare.module.css";
import { t } from "@wavescope/core/i18n/i18n";

export function CompareBar({ comparison }: { readonly comparison: Comparison | null }) {
  return (
    <header className={`${slideStyles.topBar} ${styles.bar}`}>
      <KeyTooltip label={t("compare.toGallery")}>
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
      </KeyTooltip>
      <h1 className={styles.heading}>{t("compare.compare")}</h1>
      {comparison && <Tools comparison={comparison} />}
      <span className={styles.rest} />
      <BarButton
        label={t("keyboard.commandPalette")}
        command="page.palette"
        icon={<IconCommand size={18} />}
        onClick={() => spotlight.open()}
      />
      <BarButton
        className={styles.keys}
        label={t("keyboard.shortcuts")}
        command="page.keyboard-map"
        icon={<IconKeyboard size={18} />}
        onClick={() => showKeyboardMap(true)}
      />
      <SettingsButton />
      <SchemeToggle className={slideStyles.theme} />
      <BarButton
        label={t("keyboard.fullScreen")}
        command="page.full-screen"
        icon={<IconMaximize size={18} />}
        onClick={() => toggleFullScreen()}
      />
    </header>
  );
}

function Tools({ comparison }: { readonly comparison: Comparison }) {
  const { mode, links } = useStore(comparison.state);
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
        label={links ? t("compare.unlinkHint") : t("compare.linkHint")}
        command="comparison.link"
        name={t("compare.linked")}
        pressed={links !== null}
        icon={links ? <IconLink size={18} /> : <IconLinkOff size={18} />}
        onClick={() => (links ? comparison.unlink() : comparison.link())}
      />
      <BarButton
        label={t("compare.alignCentres")}
        command="comparison.centres"
        icon={<IconFocusCentered size={18} />}
        onClick={() => comparison.alignCentres()}
      />
      <BarButton
        label={t("compare.alignAutomaticallyHint")}
        command="comparison.automatic"
        name={t("compare.alignAutomatically")}
        icon={<IconWand size={18} />}
        onClick={() => comparison.alignAutomatically()}
      />
      <BarButton
        label={t("compare.landmarksHint")}
        command="comparison.landmarks"
        name={t("compare.landmarks")}
        pressed={marking}
        icon={<IconMapPins size={18} />}
        onClick={() => comparison.marking.setOn(!marking)}
      />
      <BarButton
        label={t("receipt.make")}
        command="export.receipt"
        icon={<IconReceipt size={18} />}
        onClick={() => showReceipt(true)}
      />
      {comparison.microscopes.length < MAX_PANES && (
        <BarButton
          label={t("compare.addSlide")}
          command="comparison.add"
          icon={<IconColumnInsertRight size={18} />}
          onClick={() => addSlide(comparison)}
        />
      )}
      {mode === "swipe" && <SwipeTools comparison={comparison} />}
    </>
  );
}

function SwipeTools({ comparison }: { readonly comparison: Comparison }) {
  const { swiped, blend, swapped } = useStore(comparison.state);
  const [lower, upper] = [paneName(swiped[0]), paneName(swiped[1])];
  const choices = pairsOfPanes(comparison.microscopes.length);
  return (
    <>
      {choices.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t("compare.swiped")}
          data={choices.map((two, i) => ({ value: String(i), label: two.map(paneName).join(" | ") }))}
          value={choices.findIndex((two) => two.join() === swiped.join())}
          onChange={(event) => comparison.setSwiped(choices[Number(event.currentTarget.value)]!)}
        />
      )}
      <BarButton
        label={t("compare.flipTwo", { lower, upper })}
        command="comparison.flip"
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
          aria-label={t("compare.blendHint", { pane: upper })}
          aria-valuetext={t("compare.percentOf", { percent: Math.round(100 * blend), pane: upper })}
          data-testid="blend"
        />
      </label>
    </>
  );
}

/** Any two of so many panes, the lower one first. */
function pairsOfPanes(panes: number): TwoPanes[] {
  const all = Array.from({ length: panes }, (_, pane) => pane);
  return all.flatMap((lower) => all.slice(lower + 1).map((upper) => [lower, upper] as const));
}

interface BarButtonProps {
  readonly className?: string;
  readonly label: string;
  /** Its name where the tooltip says more. */
  readonly name?: string;
  /** Id of the command that does the same. */
  readonly command?: string;
  readonly icon: ReactNode;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

function BarButton({ className, label, name = label, command, icon, pressed, onClick }: BarButtonProps) {
  return (
    <KeyTooltip label={label} commands={command ? [command] : []}>
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
    </KeyTooltip>
  );
}
