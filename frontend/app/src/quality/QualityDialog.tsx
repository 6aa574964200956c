import { Button, Checkbox, Group, Loader, Modal, Text } from "@mantine/core";
import { useState } from "react";
import { type Advice, expectedOf } from "@wavescope/core/wire/catalog/advice";
import { explain } from "@wavescope/core/wire/http/explain";
import { bytesLabel, sizeLabel } from "../ui/format";
import { isNoSlide, useAdvice } from "./useAdvice";
import { keepOriginal, rememberKeepOriginal } from "../state/quality";
import { QualityOptions } from "./QualityOptions";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly name: string;
  /** Null while the file is being uploaded. */
  readonly jobId: string | null;
  /** The one requested so far. */
  readonly quality: string;
  /** Whether the import has begun: then it starts again in another quality. */
  readonly started: boolean;
  readonly onChoose: (quality: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The image quality of one file, with sizes and times. The user need not wait for the estimate. */
export function QualityDialog({ name, jobId, quality, started, onChoose, onClose }: Props) {
  const [chosen, setChosen] = useState<string | null>(quality);
  const [kept, setKept] = useState(keepOriginal);
  const [failure, setFailure] = useState<unknown>(null);
  const { data: advice, error } = useAdvice(jobId ?? "", jobId !== null);
  const full = advice !== undefined && chosen !== null && expectedOf(advice, chosen)?.fits === false;
  const choose = (): void => {
    if (kept !== undefined) rememberKeepOriginal(kept);
    if (chosen) onChoose(chosen).then(onClose, setFailure);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("quality.chooseImageQuality")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
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
      <QualityOptions name={name} chosen={chosen} advice={advice} onChoose={setChosen} />
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
          {t(started && chosen !== quality ? "quality.changeHint" : "quality.choiceHint")}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button disabled={full || !chosen} onClick={choose}>
            {started ? t("quality.changeQuality") : t("common.importSlide")}
          </Button>
        </Group>
      </Group>
    </Modal>
  );
}

/** While the service estimates. */
export function Estimating() {
  return (
    <>
      <Loader size={12} mr={6} aria-hidden="true" />
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
