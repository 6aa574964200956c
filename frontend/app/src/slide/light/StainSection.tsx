import { Button, Divider, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useStore } from "zustand";
import type { StainEntries } from "@wavescope/viewer/light/adjustments";
import { lightOf } from "@wavescope/viewer/light/light";
import { stainNames } from "@wavescope/viewer/light/stainStage";
import type { StainEstimate } from "@wavescope/viewer/light/stainEstimate";
import { RUIFROK, stainViewOf, withResidual } from "@wavescope/viewer/light/stains";
import { explain } from "@wavescope/core/wire/http/explain";
import type { PartProps } from "../../microscope/parts";
import {
  aloneWith,
  estimateOf,
  hasStains,
  normalisedTo,
  ownVectors,
  storeReference,
  storedReference,
} from "./stainChoice";
import { t } from "@wavescope/core/i18n/i18n";

const ALL = "all";
const NORMALISED = "0";

/** What an estimate is made for. */
type Purpose = "vectors" | "reference" | "normalise";

/** Stain views of a slide of red, green and blue: one stain alone, or all as in a reference. */
export function StainSection({ microscope, manifest }: PartProps) {
  const light = lightOf(microscope);
  const { adjustments } = useStore(light.state);
  const [kept, setKept] = useState(() => ownVectors(adjustments));
  const [reference, setReference] = useState(storedReference);
  const vectors = adjustments.stain ? ownVectors(adjustments) : kept;
  const show = (stain: StainEntries | null): void => light.set({ ...light.state.getState().adjustments, stain });
  const chosen = stainOf(adjustments.stain);
  const setVectors = (next: typeof kept): void => {
    setKept(next);
    show(aloneWith(Number(chosen) || 1, next));
  };
  const estimate = useMutation<StainEstimate | null, Error, Purpose>({
    mutationFn: () => estimateOf(microscope, adjustments.white),
    onSuccess: (found, purpose) => {
      if (!found) return;
      if (purpose === "vectors") return setVectors(found.vectors);
      if (purpose === "normalise") return reference && show(normalisedTo(reference, found));
      const made = { ...found, title: manifest.title };
      storeReference(made);
      setReference(made);
    },
  });
  const choose = (value: string): void => {
    if (value === ALL) show(null);
    else if (value === NORMALISED) estimate.mutate("normalise");
    else show(aloneWith(Number(value), vectors));
  };
  if (!hasStains(manifest)) return null;
  const names = stainNames({
    standard: !vectors,
    vectors: (vectors && withResidual(...vectors)) ?? RUIFROK,
  });
  return (
    <Stack gap={6} role="group" aria-label={t("stains.stains")} data-testid="stains">
      <Text size="sm" fw={500}>
        {t("stains.stains")}
      </Text>
      <SegmentedControl
        size="xs"
        fullWidth
        orientation="vertical"
        aria-label={t("stains.stains")}
        data={[
          { value: ALL, label: t("stains.asScanned") },
          ...names.map((label, s) => ({ value: String(s + 1), label })),
          ...(reference || chosen === NORMALISED
            ? [
                {
                  value: NORMALISED,
                  label: reference ? t("stains.normaliseTo", { title: reference.title }) : t("stains.normalised"),
                },
              ]
            : []),
        ]}
        value={chosen}
        onChange={choose}
      />
      <Group gap={6}>
        <Button
          size="compact-sm"
          variant="default"
          loading={estimate.isPending}
          onClick={() => estimate.mutate("vectors")}
        >
          {t("stains.estimate")}
        </Button>
        {vectors && (
          <Button size="compact-sm" variant="default" onClick={() => setVectors(null)}>
            {t("stains.useStandard")}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          disabled={estimate.isPending}
          onClick={() => estimate.mutate("reference")}
        >
          {t("stains.reference")}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" role="status" data-testid="stain-status">
        {statusOf()}
      </Text>
      <Divider />
    </Stack>
  );

  function statusOf(): string {
    if (estimate.isPending) return t("stains.estimating");
    if (estimate.error) return explain(estimate.error);
    if (estimate.data === null) return t("stains.noEstimate");
    if (estimate.variables === "reference") return t("stains.referenceSet");
    return vectors ? t("stains.estimated") : t("stains.standard");
  }
}

/** The choice that is shown. */
function stainOf(entries: StainEntries | null): string {
  const view = entries && stainViewOf(entries);
  if (!view) return ALL;
  return view.alone === null ? NORMALISED : String(view.alone + 1);
}
