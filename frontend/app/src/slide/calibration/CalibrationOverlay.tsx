import { decimal, groupedNumber, withUnit } from "@wavescope/core/geometry/figures";
import { Button, CloseButton, Group, Paper, SegmentedControl, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { equivalentLabel, ownMagnification } from "@wavescope/viewer/navigation/scale";
import { explain } from "@wavescope/core/wire/http/explain";
import { stamp } from "../../microscope/browserHistory";
import type { PartProps } from "../../microscope/parts";
import { calibrating, mayCalibrate, setCalibrating } from "./calibrating";
import styles from "./calibration.module.css";
import {
  LEAST_SCALE,
  MOST_SCALE,
  type ClickedPoint,
  type Unit,
  byLine,
  byValue,
  pixelsBetween,
  possibleScale,
  umPerPixel,
  onSlide,
  withPoint,
} from "./length";
import { useCalibrate } from "./useCalibrate";
import { t } from "@wavescope/core/i18n/i18n";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { onScreen } from "@wavescope/viewer/navigation/pointing";
import { useDrawn } from "../../microscope/useDrawn";
import { NumberInput } from "../../ui/NumberInput";
import { pickPositions } from "@wavescope/viewer/navigation/clicks";

const close = (): void => setCalibrating(false);

/** A number, or what may become one: "0." on the way to 0.25 has to stay in its field. */
type Typed = string | number;

/** Entering the slide's scale, over the picture: by value, or by a line drawn along something of known length. */
export function CalibrationOverlay(props: PartProps) {
  const open = useStore(calibrating, (state) => state.open);
  useEffect(() => close, []);
  return open && mayCalibrate(props.manifest) ? <Calibration {...props} /> : null;
}

function Calibration({ microscope, manifest }: PartProps) {
  const [method, setMethod] = useState("value");
  const [value, setValue] = useState<Typed>(manifest.mpp?.x ?? "");
  const [length, setLength] = useState<Typed>("");
  const [unit, setUnit] = useState<Unit>("µm");
  const [points, markCentre] = useClickedPoints(microscope, method === "line");
  const save = useCalibrate(manifest, () => {
    stamp(microscope); // the slide is opened anew with its scale, where it is
    close();
  });
  const entered = method === "value" ? byValue(numberOf(value)) : byLine(points, numberOf(length), unit);
  const calibration = entered && possibleScale(umPerPixel(entered)) ? entered : null;
  const keys = (event: React.KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    if (calibration) save.mutate(calibration);
  };
  return (
    <>
      {method === "line" && <KnownLine microscope={microscope} points={points} />}
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
            value={value}
            onChange={setValue}
            min={0}
            decimalScale={6}
            hideControls
            autoFocus // what is typed next is the value
          />
        ) : (
          <LineFields
            points={points}
            length={length}
            unit={unit}
            onLength={setLength}
            onUnit={setUnit}
            onCentre={markCentre}
          />
        )}
        <Text size="xs" c="dimmed" role="status">
          {entered ? resultOf(umPerPixel(entered), manifest.objectivePower) : t("calibration.scaleHint")}
        </Text>
        {entered && !calibration && (
          <Text size="xs" className="failure" role="alert">
            {t("calibration.impossible", { least: LEAST_SCALE, most: groupedNumber(MOST_SCALE) })}
          </Text>
        )}
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
  readonly points: readonly ClickedPoint[];
  readonly length: Typed;
  readonly unit: Unit;
  readonly onLength: (length: Typed) => void;
  readonly onUnit: (unit: Unit) => void;
  readonly onCentre: () => void;
}

function LineFields({ points, length, unit, onLength, onUnit, onCentre }: LineProps) {
  const field = useRef<HTMLInputElement>(null);
  const complete = points.length === 2;
  useEffect(() => {
    if (complete) field.current?.select(); // what is typed next is the length
  }, [complete]);
  const drawn = complete
    ? t("calibration.linePixelsBetweenPixels", {
        length: groupedNumber(Math.round(pixelsBetween(points[0]!, points[1]!))),
      })
    : null;
  return (
    <>
      <Text size="xs" role="status">
        {drawn ?? (points.length === 1 ? t("calibration.secondEnd") : t("calibration.firstEnd"))}
      </Text>
      <Button size="compact-xs" variant="default" onClick={onCentre} className={styles.centre}>
        {t("calibration.markCentreView")}
      </Button>
      <Group gap={6} wrap="nowrap" align="flex-end">
        <NumberInput
          ref={field}
          label={t("calibration.itsLength")}
          value={length}
          onChange={onLength}
          min={0}
          hideControls
          className={styles.grow}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("calibration.unit")}
          value={unit}
          onChange={(next) => onUnit(next)}
          data={["µm", "mm"]}
        />
      </Group>
    </>
  );
}

function numberOf(typed: Typed): number | null {
  const number = typeof typed === "number" ? typed : Number.parseFloat(typed);
  return Number.isNaN(number) ? null : number;
}

function resultOf(um: number, objectivePower: number | null): string {
  const magnification = ownMagnification(um, objectivePower);
  return `${withUnit(decimal(Number(um.toPrecision(4))), "µm/px")}${magnification ? ` (${equivalentLabel(magnification.own)})` : ""}`;
}

/** The line of known length, over the picture. */
function KnownLine({
  microscope,
  points,
}: {
  readonly microscope: Microscope;
  readonly points: readonly ClickedPoint[];
}) {
  useDrawn(microscope);
  const ends = points.map(({ l0_x, l0_y }) => onScreen(microscope, l0_x, l0_y));
  return (
    <svg className={styles.line} aria-hidden="true" data-testid="calibration-line">
      {ends.length === 2 && <line x1={ends[0]!.css_x} y1={ends[0]!.css_y} x2={ends[1]!.css_x} y2={ends[1]!.css_y} />}
      {ends.map(({ css_x, css_y }, i) => (
        <circle key={i} cx={css_x} cy={css_y} r={5} />
      ))}
    </svg>
  );
}

/** The ends, and marking one at the centre of the view; `on`: whether clicks are taken. */
function useClickedPoints(microscope: Microscope, on: boolean): readonly [readonly ClickedPoint[], () => void] {
  const [points, setPoints] = useState<readonly ClickedPoint[]>([]);
  useEffect(() => {
    if (!on) return;
    return pickPositions(microscope, (point) =>
      setPoints((before) => withPoint(before, onSlide(point, microscope.pyramid))),
    );
  }, [microscope, on]);
  const markCentre = (): void => {
    const { l0_x, l0_y, l0_width, l0_height } = microscope.reading(false).region;
    const centre = { l0_x: l0_x + l0_width / 2, l0_y: l0_y + l0_height / 2 };
    setPoints((before) => withPoint(before, onSlide(centre, microscope.pyramid)));
  };
  return [points, markCentre];
}
