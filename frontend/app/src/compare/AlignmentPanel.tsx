import { Alert, Button, Checkbox, CloseButton, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useStore } from "zustand";
import { ProblemError } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import type { SlideRegistration } from "@wavescope/core/wire/slides/registrationClient";
import { paneName } from "@wavescope/viewer/compare/address";
import { isAligned } from "@wavescope/viewer/compare/alignment";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { pairsOf, rootMeanSquare } from "@wavescope/viewer/compare/landmarks";
import { leftOver } from "@wavescope/viewer/compare/leftOver";
import panel from "../microscope/panel.module.css";
import { lengthOf } from "./lengths";
import { HIGH, LOW } from "./Residuals";
import { t } from "@wavescope/core/i18n/i18n";

/** The automatic alignment: that it runs, for each slide why it failed or how well it matches the first one, and what can be done about it. */
export function AlignmentPanel({ comparison }: { readonly comparison: Comparison }) {
  const { alignment, marking } = comparison;
  const state = useStore(alignment.state);
  const on = useStore(marking.state, (now) => now.on);
  if (!state.open || on) return null;
  const aligned = isAligned(state);
  return (
    <aside className={panel.panel} aria-label={t("compare.alignment")} data-testid="alignment">
      <div className={panel.head}>
        <Title order={2} size="h5">
          {t("compare.alignment")}
        </Title>
        <CloseButton onClick={() => alignment.setOpen(false)} aria-label={t("compare.closeAlignment")} />
      </div>
      <div className={panel.body} tabIndex={0} role="group" aria-label={t("compare.alignmentContents")}>
        <Stack gap="sm" align="flex-start">
          <Text size="sm" fw={600} role="status" data-testid="alignment-status">
            {state.running && t("compare.aligning")}
            {aligned && t("compare.aligned")}
          </Text>
          {state.running && <Loader size="sm" aria-label={t("compare.aligning")} />}
          {state.running && (
            <Button size="compact-sm" variant="default" onClick={() => alignment.forget()}>
              {t("compare.cancel")}
            </Button>
          )}
          {state.results.map((result, pane) => (
            <Result key={pane} comparison={comparison} pane={pane} result={result} />
          ))}
          {aligned && <Choices comparison={comparison} />}
        </Stack>
      </div>
    </aside>
  );
}

interface PaneProps {
  readonly comparison: Comparison;
  readonly pane: number;
}

function Result({ result, ...props }: PaneProps & { readonly result: SlideRegistration | Error | null }) {
  if (!result) return null;
  const several = props.comparison.microscopes.length > 2;
  return (
    <Stack gap="sm" align="flex-start" role="group" aria-label={t("compare.pane", { pane: paneName(props.pane) })}>
      {several && (
        <Title order={3} size="h6">
          {t("compare.pane", { pane: paneName(props.pane) })}
        </Title>
      )}
      {result instanceof Error ? <Alert color="red">{reasonOf(result)}</Alert> : <Found {...props} found={result} />}
    </Stack>
  );
}

function Found({ comparison, pane, found }: PaneProps & { readonly found: SlideRegistration }) {
  const { alignment, marking } = comparison;
  const { residuals } = useStore(alignment.state);
  const pairs = pairsOf(
    useStore(marking.state, (state) => state.landmarks),
    pane,
  );
  const { median, most } = leftOver(found);
  const length = (pixels: number): string => lengthOf(pixels, comparison, pane);
  return (
    <>
      <Text size="sm" data-testid="alignment-residual">
        {t("compare.alignmentResidual", { median: length(median), most: length(most) })}
      </Text>
      <Text size="sm">{t("compare.alignmentLikeness", { percent: Math.round(100 * found.likeness) })}</Text>
      {pairs.length > 0 && (
        <Text size="sm" data-testid="alignment-corrected">
          {t("compare.correctedBy", { count: pairs.length, mean: length(rootMeanSquare(alignment.off(pane, pairs))) })}
        </Text>
      )}
      <Checkbox
        size="sm"
        label={t("compare.showResiduals")}
        checked={residuals === pane}
        onChange={(event) => alignment.showResiduals(event.currentTarget.checked ? pane : null)}
      />
      {residuals === pane && (
        <Text size="xs">
          {t("compare.residualsLegend", { low: length(LOW * found.cell), high: length(HIGH * found.cell) })}
        </Text>
      )}
    </>
  );
}

function Choices({ comparison: { alignment, marking } }: { readonly comparison: Comparison }) {
  const annotations = useStore(alignment.state, (state) => state.annotations);
  return (
    <>
      <Checkbox
        size="sm"
        label={t("compare.showMapped")}
        checked={annotations}
        onChange={(event) => alignment.showAnnotations(event.currentTarget.checked)}
      />
      <Group gap={6}>
        <Button size="compact-sm" variant="default" onClick={() => marking.setOn(true)}>
          {t("compare.correctByLandmarks")}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowBackUp size={15} />}
          onClick={() => alignment.undo()}
        >
          {t("compare.undoAlignment")}
        </Button>
      </Group>
    </>
  );
}

function reasonOf(failure: Error): string {
  if (failure instanceof ProblemError && failure.problem === "sections-differ") return t("compare.noMatch");
  return t("compare.alignmentFailed", { error: explain(failure) });
}
