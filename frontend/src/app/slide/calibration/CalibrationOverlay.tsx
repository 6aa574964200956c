import { groupedNumber } from "../../../geometry/figures";
import { Button, CloseButton, Group, NumberInput, Paper, SegmentedControl, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { equivalentLabel, ownMagnification } from "../../../viewer/navigation/scale";
import { explain } from "../../../wire/http/explain";
import { stamp } from "../../microscope/browserHistory";
import type { PartProps } from "../../microscope/parts";
import { calibrating, mayCalibrate, setCalibrating } from "./calibrating";
import { KnownLine } from "./KnownLine";
import styles from "./calibration.module.css";
import { type Spot, type Unit, byLine, byValue, pixelsBetween, umPerPixel } from "./length";
import { useCalibrate } from "./useCalibrate";
import { useSpots } from "./useSpots";
import { t } from "../../../i18n/i18n";

const close = (): void => setCalibrating(false);

/** Entering the slide's scale, over the picture: by value, or by a line drawn along something of known length. */
export function CalibrationOverlay(props: PartProps) {
  const open = useStore(calibrating, (state) => state.open);
  useEffect(() => close, []);
  return open && mayCalibrate(props.manifest) ? <Calibration {...props} /> : null;
}

function Calibration({ scope, manifest }: PartProps) {
  const [method, setMethod] = useState("value");
  const [value, setValue] = useState<number | null>(manifest.mpp?.x ?? null);
  const [length, setLength] = useState<number | null>(null);
  const [unit, setUnit] = useState<Unit>("µm");
  const [spots, markCentre] = useSpots(scope, method === "line");
  const save = useCalibrate(manifest, () => {
    stamp(scope); // the slide is opened anew with its scale, where it is
    close();
  });
  const calibration = method === "value" ? byValue(value) : byLine(spots, length, unit);
  const keys = (event: React.KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (calibration) save.mutate(calibration);
  };
  return (
    <>
      {method === "line" && <KnownLine scope={scope} spots={spots} />}
      <Paper
        component="form"
        withBorder
        shadow="sm"
        className={styles.panel}
        onSubmit={submit}
        onKeyDown={keys}
        aria-label={t("calibration.calibrate")}
        data-testid="calibration"
      >
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h6">
            {t("calibration.calibrate")}
          </Title>
          <CloseButton onClick={close} aria-label={t("calibration.closeCalibration")} />
        </Group>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t("calibration.method")}
          value={method}
          onChange={setMethod}
          data={[
            { value: "value", label: t("calibration.byValue") },
            { value: "line", label: t("calibration.byKnownLength") },
          ]}
        />
        {method === "value" ? (
          <NumberInput
            label={t("calibration.pixelSize")}
            value={value ?? ""}
            onChange={(next) => setValue(numberOf(next))}
            min={0}
            decimalScale={6}
            hideControls
            data-autofocus
          />
        ) : (
          <LineFields
            spots={spots}
            length={length}
            unit={unit}
            onLength={setLength}
            onUnit={setUnit}
            onCentre={markCentre}
          />
        )}
        <Text size="xs" c="dimmed" role="status">
          {calibration ? resultOf(umPerPixel(calibration), manifest.objectivePower) : t("calibration.scaleHint")}
        </Text>
        {save.error && (
          <Text size="xs" className="failure" role="alert">
            {explain(save.error)}
          </Text>
        )}
        <Group justify="flex-end">
          <Button type="submit" size="compact-sm" disabled={!calibration} loading={save.isPending}>
            {t("calibration.saveScale")}
          </Button>
        </Group>
      </Paper>
    </>
  );
}

interface LineProps {
  readonly spots: readonly Spot[];
  readonly length: number | null;
  readonly unit: Unit;
  readonly onLength: (length: number | null) => void;
  readonly onUnit: (unit: Unit) => void;
  readonly onCentre: () => void;
}

function LineFields({ spots, length, unit, onLength, onUnit, onCentre }: LineProps) {
  const field = useRef<HTMLInputElement>(null);
  const complete = spots.length === 2;
  useEffect(() => {
    if (complete) field.current?.select(); // what is typed next is the length
  }, [complete]);
  const drawn = complete
    ? t("calibration.linePixelsBetweenPixels", {
        length: groupedNumber(Math.round(pixelsBetween(spots[0], spots[1]))),
      })
    : null;
  return (
    <>
      <Text size="xs" role="status">
        {drawn ?? (spots.length === 1 ? t("calibration.secondEnd") : t("calibration.firstEnd"))}
      </Text>
      <Button size="compact-xs" variant="default" onClick={onCentre} className={styles.centre}>
        {t("calibration.markCentreView")}
      </Button>
      <Group gap={6} wrap="nowrap" align="flex-end">
        <NumberInput
          ref={field}
          label={t("calibration.itsLength")}
          value={length ?? ""}
          onChange={(next) => onLength(numberOf(next))}
          min={0}
          hideControls
          className={styles.grow}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("calibration.unit")}
          value={unit}
          onChange={(next) => onUnit(next as Unit)}
          data={["µm", "mm"]}
        />
      </Group>
    </>
  );
}

function numberOf(value: string | number): number | null {
  return typeof value === "number" ? value : null;
}

function resultOf(um: number, objectivePower: number | null): string {
  const magnification = ownMagnification(um, objectivePower);
  return `${Number(um.toPrecision(4))} µm/px${magnification ? ` (${equivalentLabel(magnification.own)})` : ""}`;
}
