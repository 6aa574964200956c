import { Button, Checkbox, Group, Loader, Text } from "@mantine/core";
import { useState } from "react";
import { type Advice, expectedOf } from "@wavescope/core/wire/catalog/advice";
import type { Qualities } from "@wavescope/core/wire/catalog/jobs";
import { explain } from "@wavescope/core/wire/http/explain";
import { bytesLabel, sizeLabel } from "../ui/format";
import { isNoSlide, useAdvice } from "./useAdvice";
import { isRequestable, keepOriginal, qualityOfKind, rememberKeepOriginal } from "../state/quality";
import type { FileChoice } from "../state/uploads";
import { QualityOptions } from "./QualityOptions";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";
import { NumberInput } from "../ui/NumberInput";

interface Props {
  readonly name: string;
  /** Null while the file is being uploaded. */
  readonly jobId: string | null;
  /** Those requested so far. */
  readonly qualities: Qualities;
  /** The time point of the file, from 1. */
  readonly time: number;
  /** Whether the import has begun: then it starts again in another quality. */
  readonly started: boolean;
  readonly onChoose: (choice: FileChoice) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The image quality of one file, with sizes and times, and its time point. The user need not wait for the estimate. */
export function QualityDialog({ name, jobId, qualities, time: timeSoFar, started, onChoose, onClose }: Props) {
  const [entered, setEntered] = useState<string | null>();
  const [time, setTime] = useState<number | null>(timeSoFar);
  const [kept, setKept] = useState(keepOriginal);
  const [failure, setFailure] = useState<unknown>(null);
  const { data: advice, error } = useAdvice(jobId ?? "", jobId !== null);
  const measure = advice?.measure ?? null;
  const quality = qualityOfKind(qualities, measure);
  const isChosen = entered === null || (entered !== undefined && isRequestable(entered, measure)); // not before the kind was known
  const chosen = isChosen ? entered : quality;
  const full = advice !== undefined && chosen !== null && expectedOf(advice, chosen)?.fits === false;
  const choose = (): void => {
    if (kept !== undefined) rememberKeepOriginal(kept);
    if (chosen && time) onChoose({ quality: chosen, measure, time }).then(onClose, setFailure);
  };
  return (
    <Dialog opened onClose={onClose} title={t("quality.chooseImageQuality")} size="lg">
      <Text fw={600} truncate title={name}>
        {name}
      </Text>
      <Text size="sm" c="dimmed" role="status" data-testid="store-facts">
        {advice ? (
          factsOf(advice)
        ) : error ? (
          whyNoEstimate(error)
        ) : jobId === null ? (
          t("quality.estimatedAfterUpload")
        ) : (
          <Estimating />
        )}
      </Text>
      {advice && advice.times > 1 && <TimePoint times={advice.times} value={time} onChange={setTime} />}
      <QualityOptions key={measure} name={name} chosen={chosen} advice={advice} onChoose={setEntered} />
      <Checkbox
        mt="sm"
        label={t("quality.keepOriginal")}
        description={t("quality.keepOriginalHint")}
        checked={kept ?? false}
        indeterminate={kept === undefined}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      {full && (
        <Text size="sm" className="failure">
          {t("quality.notEnoughSpace", { freeBytes: bytesLabel(advice.freeBytes) })}
        </Text>
      )}
      {failure !== null && (
        <Text size="sm" className="failure">
          {explain(failure)}
        </Text>
      )}
      <Group justify="space-between" mt="md">
        <Text size="xs" c="dimmed">
          {t(started && (chosen !== quality || time !== timeSoFar) ? "quality.changeHint" : "quality.choiceHint")}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button disabled={full || !chosen || !time} onClick={choose}>
            {started ? t("quality.changeQuality") : t("common.importSlide")}
          </Button>
        </Group>
      </Group>
    </Dialog>
  );
}

interface TimePointProps {
  readonly times: number;
  /** From 1; null: out of range. */
  readonly value: number | null;
  readonly onChange: (time: number | null) => void;
}

/** Which of several time points is imported. */
function TimePoint({ times, value, onChange }: TimePointProps) {
  const [typed, setTyped] = useState<number | string>(value ?? "");
  const change = (entry: number | string): void => {
    setTyped(entry);
    onChange(typeof entry === "number" && entry >= 1 && entry <= times ? entry : null);
  };
  return (
    <NumberInput
      label={t("quality.timePoint")}
      description={t("quality.timePointHint", { times })}
      value={typed}
      onChange={change}
      min={1}
      max={times}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      inputMode="numeric"
      mt="xs"
      maw={352}
      error={value === null}
    />
  );
}

/** While the service estimates. */
export function Estimating() {
  return (
    <>
      <Loader size={12} me={6} aria-hidden="true" />
      {t("quality.estimatingSizeAndTime")}
    </>
  );
}

function whyNoEstimate(error: Error): string {
  return isNoSlide(error)
    ? t("quality.cannotBeImported", { error: explain(error) })
    : t("quality.notEstimated", { error: explain(error) });
}

function factsOf({ width, height, planes, sourceBytes, rawBytes }: Advice): string {
  const size = sizeLabel(width, height);
  const bytes = { file: bytesLabel(sourceBytes), raw: bytesLabel(rawBytes) };
  return planes > 1 ? t("quality.factsWithPlanes", { size, planes, ...bytes }) : t("quality.facts", { size, ...bytes });
}
