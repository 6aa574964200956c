import { ActionIcon, Button, CloseButton, Group, Text, Title, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconX } from "@tabler/icons-react";
import { useStore } from "zustand";
import { paneName } from "@wavescope/viewer/compare/address";
import { foundIn } from "@wavescope/viewer/compare/alignment";
import { type Fit, type Landmark, pairsOf, residuals, rootMeanSquare } from "@wavescope/viewer/compare/landmarks";
import { isSingle, openOf } from "@wavescope/viewer/compare/marking";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { mapPoint, registrationAt } from "@wavescope/viewer/compare/registration";
import { readViewLink, showViewLink } from "@wavescope/viewer/view/view";
import panel from "../microscope/panel.module.css";
import { lengthLabel } from "./lengths";
import styles from "./landmarks.module.css";
import { t } from "@wavescope/core/i18n/i18n";

const FIT_NAMES = { similarity: t("compare.similarity"), affine: t("compare.affine") } as const;
/** Moved against each other by more than so many pixels, the slides do not lie by their landmarks any more. */
const OFF = 1;

/** Landmarks: what to do next, each with what it is off by, and how well all fit. */
export function LandmarkPanel({ comparison }: { readonly comparison: Comparison }) {
  const { marking } = comparison;
  const { on, landmarks, fits, changes } = useStore(marking.state);
  if (!on) return null;
  const open = openOf(landmarks);
  return (
    <aside className={panel.panel} aria-label={t("compare.landmarks")} data-testid="landmarks">
      <div className={panel.head}>
        <Title order={2} size="h5">
          {t("compare.landmarks")}
        </Title>
        <CloseButton onClick={() => marking.setOn(false)} aria-label={t("compare.closeLandmarks")} />
      </div>
      <div className={panel.body} tabIndex={0} role="group" aria-label={t("compare.landmarksContents")}>
        <Text size="sm" role="status" data-testid="landmark-hint">
          {hint(landmarks)}
        </Text>
        <ol className={styles.list}>
          {landmarks.map((landmark, i) =>
            isSingle(landmark) ? null : <Row key={i} comparison={comparison} landmark={landmark} number={i + 1} />,
          )}
        </ol>
        {fits.map((fit, pane) => fit && <Summary key={pane} comparison={comparison} pane={pane} fit={fit} />)}
        {fits.some(Boolean) && !(open && isSingle(open)) && <LayAgain comparison={comparison} />}
        <Group gap={6} mt="sm">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconArrowBackUp size={15} />}
            disabled={changes === 0}
            onClick={() => marking.undo()}
          >
            {t("common.undo")}
          </Button>
          <Button size="compact-sm" variant="default" disabled={landmarks.length === 0} onClick={() => marking.reset()}>
            {t("compare.reset")}
          </Button>
        </Group>
      </div>
    </aside>
  );
}

interface RowProps {
  readonly comparison: Comparison;
  readonly landmark: Landmark;
  readonly number: number;
}

function Row({ comparison, landmark, number }: RowProps) {
  const { fits } = useStore(comparison.marking.state);
  useStore(comparison.alignment.state);
  const several = landmark.length > 2;
  const offs = fits.flatMap((fit, pane) => {
    const [off] = offsOf(comparison, pane, fit, [landmark]);
    if (off === undefined) return [];
    return [(several ? `${paneName(pane)}\u00a0` : "") + lengthLabel(off, comparison, pane)];
  });
  const show = (): void => {
    const { active } = comparison.state.getState();
    const microscope = comparison.microscopes[active]!;
    if (landmark[active]) showViewLink(microscope, { ...readViewLink(microscope), ...landmark[active] });
  };
  return (
    <li className={styles.row} data-testid="landmark">
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        onClick={show}
        aria-label={t("compare.goToLandmark", { number })}
      >
        {number}
      </Button>
      <span className={styles.off} data-testid="residual">
        {offs.join(", ")}
      </span>
      <Tooltip label={t("compare.remove")}>
        <ActionIcon
          size="md"
          variant="subtle"
          color="gray"
          aria-label={t("compare.removeLandmark", { number })}
          onClick={() => comparison.marking.remove(number - 1)}
        >
          <IconX size={15} />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

interface SummaryProps {
  readonly comparison: Comparison;
  readonly pane: number;
  readonly fit: Fit;
}

function Summary({ comparison, pane, fit }: SummaryProps) {
  const { landmarks } = useStore(comparison.marking.state);
  const automatic = foundIn(useStore(comparison.alignment.state), pane);
  const offs = offsOf(comparison, pane, fit, landmarks);
  const mean = lengthLabel(rootMeanSquare(offs), comparison, pane);
  const description = automatic
    ? t("compare.correctedBy", { count: offs.length, mean })
    : fit.kind === "shift"
      ? t("compare.shiftedByOneLandmark")
      : t("compare.residuals", {
          fit: FIT_NAMES[fit.kind],
          mean,
          most: lengthLabel(Math.max(...offs), comparison, pane),
        });
  return (
    <Text size="sm" fw={600} mt="sm" data-testid="fit">
      {comparison.microscopes.length > 2 ? `${paneName(pane)}: ${description}` : description}
    </Text>
  );
}

/** Once the slides were moved away from their landmarks. */
function LayAgain({ comparison }: { readonly comparison: Comparison }) {
  const { landmarks, fits } = useStore(comparison.marking.state);
  const links = useStore(comparison.state, (state) => state.links);
  const alignment = useStore(comparison.alignment.state);
  const lies = fits.every((fit, pane) => {
    const link = links?.[pane];
    if (!fit) return true;
    return pairsOf(landmarks, pane).every(
      ({ left, right }) =>
        link &&
        isClose(
          mapPoint(registrationAt(link, left), left),
          foundIn(alignment, pane) ? right : mapPoint(fit.registration, left),
        ),
    );
  });
  if (lies) return null;
  return (
    <div>
      <Button size="compact-sm" mt={6} onClick={() => comparison.marking.register()}>
        {t("compare.alignByLandmarks")}
      </Button>
    </div>
  );
}

/** How far landmarks of a pane are off: from the automatic alignment without landmarks, else from what they fit; as lengthLabel takes it. */
function offsOf(
  comparison: Comparison,
  pane: number,
  fit: Fit | null,
  landmarks: readonly Landmark[],
): readonly number[] {
  const { manifest } = comparison.microscopes[pane]!;
  const pairs = pairsOf(landmarks, pane);
  if (foundIn(comparison.alignment.state.getState(), pane))
    return comparison.alignment.off(pane, pairs).map((pixels) => pixels * (manifest.mpp?.x ?? 1));
  return fit && fit.kind !== "shift" ? residuals(pairs, fit.registration, manifest) : [];
}

function hint(landmarks: readonly Landmark[]): string {
  const open = openOf(landmarks);
  if (open) {
    const panes = open.flatMap((at, pane) => (at ? [] : [paneName(pane)]));
    return t(open.length > 2 ? "compare.markOnOthers" : "compare.markOnOther", { panes: panes.join(", ") });
  }
  if (landmarks.length === 0) return t("compare.markFirst");
  return landmarks.length === 1 ? t("compare.markSecond") : t("compare.markMore");
}

function isClose(one: { l0_x: number; l0_y: number }, other: { l0_x: number; l0_y: number }): boolean {
  return Math.hypot(one.l0_x - other.l0_x, one.l0_y - other.l0_y) < OFF;
}
