import { ActionIcon, Button, CloseButton, Group, Text, Title, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconX } from "@tabler/icons-react";
import { useStore } from "zustand";
import { type Fit, type LandmarkPair, residuals, rootMeanSquare } from "@wavescope/viewer/compare/landmarks";
import type { OpenMark } from "@wavescope/viewer/compare/marking";
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

/** Landmarks: what to do next, every pair with what it is off by, and how well all fit. */
export function LandmarkPanel({ comparison }: { readonly comparison: Comparison }) {
  const { marking } = comparison;
  const { on, pairs, open, fit, changes } = useStore(marking.state);
  if (!on) return null;
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
          {hint(pairs.length, open)}
        </Text>
        <Pairs comparison={comparison} pairs={pairs} fit={fit} />
        {fit && <Summary comparison={comparison} pairs={pairs} fit={fit} open={open !== null} />}
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
          <Button
            size="compact-sm"
            variant="default"
            disabled={pairs.length === 0 && !open}
            onClick={() => marking.reset()}
          >
            {t("compare.reset")}
          </Button>
        </Group>
      </div>
    </aside>
  );
}

interface FitProps {
  readonly comparison: Comparison;
  readonly pairs: readonly LandmarkPair[];
  readonly fit: Fit;
}

function Pairs({ comparison, pairs, fit }: Omit<FitProps, "fit"> & { readonly fit: Fit | null }) {
  const automatic = useStore(comparison.alignment.state, ({ found }) => found !== null);
  if (pairs.length === 0) return null;
  const off = offOf(comparison, pairs, fit, automatic);
  const show = ({ left, right }: LandmarkPair): void => {
    const { active } = comparison.state.getState();
    const at = active === "left" ? left : right;
    showViewLink(comparison.microscopes[active], { ...readViewLink(comparison.microscopes[active]), ...at });
  };
  return (
    <ol className={styles.list}>
      {pairs.map((pair, i) => (
        <li key={i} className={styles.row} data-testid="landmark">
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={() => show(pair)}
            aria-label={t("compare.goToLandmark", { number: i + 1 })}
          >
            {i + 1}
          </Button>
          <span className={styles.off} data-testid="residual">
            {off[i] === undefined ? "" : lengthLabel(off[i], comparison)}
          </span>
          <Tooltip label={t("compare.remove")}>
            <ActionIcon
              size="md"
              variant="subtle"
              color="gray"
              aria-label={t("compare.removeLandmark", { number: i + 1 })}
              onClick={() => comparison.marking.remove(i)}
            >
              <IconX size={15} />
            </ActionIcon>
          </Tooltip>
        </li>
      ))}
    </ol>
  );
}

function Summary({ comparison, pairs, fit, open }: FitProps & { readonly open: boolean }) {
  const link = useStore(comparison.state, (state) => state.link);
  const automatic = useStore(comparison.alignment.state, ({ found }) => found !== null);
  const off = offOf(comparison, pairs, fit, automatic);
  const lies =
    link !== null &&
    pairs.every(({ left, right }) =>
      isClose(mapPoint(registrationAt(link, left), left), automatic ? right : mapPoint(fit.registration, left)),
    );
  const description = automatic
    ? t("compare.correctedBy", { count: pairs.length, mean: lengthLabel(rootMeanSquare(off), comparison) })
    : fit.kind === "shift"
      ? t("compare.shiftedByOneLandmark")
      : t("compare.residuals", {
          fit: FIT_NAMES[fit.kind],
          mean: lengthLabel(rootMeanSquare(off), comparison),
          most: lengthLabel(Math.max(...off), comparison),
        });
  return (
    <>
      <Text size="sm" fw={600} mt="sm" data-testid="fit">
        {description}
      </Text>
      {!lies && !open && (
        <div>
          <Button size="compact-sm" mt={6} onClick={() => comparison.marking.register()}>
            {t("compare.alignByLandmarks")}
          </Button>
        </div>
      )}
    </>
  );
}

/** How far each pair is off: from the automatic alignment without landmarks, else from what they fit. */
function offOf(
  comparison: Comparison,
  pairs: readonly LandmarkPair[],
  fit: Fit | null,
  automatic: boolean,
): readonly number[] {
  const { manifest } = comparison.microscopes.right;
  if (automatic) return comparison.alignment.off(pairs).map((pixels) => pixels * (manifest.mpp?.x ?? 1));
  return fit && fit.kind !== "shift" ? residuals(pairs, fit.registration, manifest) : [];
}

function hint(pairs: number, open: OpenMark | null): string {
  if (open) return t(open.side === "left" ? "compare.markOnRight" : "compare.markOnLeft");
  if (pairs === 0) return t("compare.markFirst");
  return pairs === 1 ? t("compare.markSecond") : t("compare.markMore");
}

function isClose(one: { l0_x: number; l0_y: number }, other: { l0_x: number; l0_y: number }): boolean {
  return Math.hypot(one.l0_x - other.l0_x, one.l0_y - other.l0_y) < OFF;
}
