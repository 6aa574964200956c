import { Alert, Button, Checkbox, CloseButton, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useStore } from "zustand";
import { ProblemError } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import type { SlideRegistration } from "@wavescope/core/wire/slides/registrationClient";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { rootMeanSquare } from "@wavescope/viewer/compare/landmarks";
import { leftOver } from "@wavescope/viewer/compare/leftOver";
import panel from "../microscope/panel.module.css";
import { lengthOf } from "./lengths";
import { HIGH, LOW } from "./Residuals";
import { t } from "@wavescope/core/i18n/i18n";

/** The automatic alignment: that it runs, why it failed, or how well the slides match, and what can be done about it. */
export function AlignmentPanel({ comparison }: { readonly comparison: Comparison }) {
  const { alignment, marking } = comparison;
  const { running, failure, found, open } = useStore(alignment.state);
  const on = useStore(marking.state, (state) => state.on);
  if (!open || on) return null;
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
            {running && t("compare.aligning")}
            {found && t("compare.aligned")}
          </Text>
          {running && <Loader size="sm" aria-label={t("compare.aligning")} />}
          {running && (
            <Button size="compact-sm" variant="default" onClick={() => alignment.forget()}>
              {t("compare.cancel")}
            </Button>
          )}
          {failure && <Alert color="red">{reasonOf(failure)}</Alert>}
          {found && <Found comparison={comparison} found={found} />}
        </Stack>
      </div>
    </aside>
  );
}

interface FoundProps {
  readonly comparison: Comparison;
  readonly found: SlideRegistration;
}

function Found({ comparison, found }: FoundProps) {
  const { alignment, marking } = comparison;
  const { residuals, annotations } = useStore(alignment.state);
  const pairs = useStore(marking.state, (state) => state.pairs);
  const { median, most } = leftOver(found);
  return (
    <>
      <Text size="sm" data-testid="alignment-residual">
        {t("compare.alignmentResidual", { median: lengthOf(median, comparison), most: lengthOf(most, comparison) })}
      </Text>
      <Text size="sm">{t("compare.alignmentLikeness", { percent: Math.round(100 * found.likeness) })}</Text>
      {pairs.length > 0 && (
        <Text size="sm" data-testid="alignment-corrected">
          {t("compare.correctedBy", {
            count: pairs.length,
            mean: lengthOf(rootMeanSquare(alignment.off(pairs)), comparison),
          })}
        </Text>
      )}
      <Checkbox
        size="sm"
        label={t("compare.showResiduals")}
        checked={residuals}
        onChange={(event) => alignment.showResiduals(event.currentTarget.checked)}
      />
      {residuals && (
        <Text size="xs">
          {t("compare.residualsLegend", {
            low: lengthOf(LOW * found.cell, comparison),
            high: lengthOf(HIGH * found.cell, comparison),
          })}
        </Text>
      )}
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
