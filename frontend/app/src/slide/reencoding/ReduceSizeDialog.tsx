import { Alert, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Expected, expectedOf, readReencodeAdvice } from "@wavescope/core/wire/catalog/advice";
import type { Preset } from "@wavescope/core/wire/catalog/jobs";
import { explain } from "@wavescope/core/wire/http/explain";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { storedQuality } from "../information/facts";
import { bytesLabel } from "../../ui/format";
import { Estimating } from "../../quality/QualityDialog";
import { QualityOptions } from "../../quality/QualityOptions";
import { reencode } from "./reencoding";
import { rejectionOf } from "./rejection";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

/** A lossless version is never smaller, and what the file deserved was decided when it was imported. */
const OFFERED: readonly Preset[] = ["compact", "visual", "fine"];

interface Props {
  readonly manifest: Manifest;
  readonly onClose: () => void;
}

/** The image quality of a smaller version of a stored slide, with sizes before anything is changed. */
export function ReduceSizeDialog({ manifest, onClose }: Props) {
  const { id, digest, title } = manifest;
  const [chosen, setChosen] = useState<string | null>("compact");
  const [failure, setFailure] = useState<unknown>(null);
  const [starting, setStarting] = useState(false);
  const { data: advice, error } = useQuery({
    queryKey: ["reencode", id, digest],
    queryFn: ({ signal }) => readReencodeAdvice(id, signal),
    staleTime: Infinity,
  });
  const rejection = (quality: string, expected: Expected | null): string | null =>
    rejectionOf(manifest, quality, expected);
  const expected = advice && chosen !== null ? expectedOf(advice, chosen) : null;
  const ready = chosen !== null && expected !== null && expected.fits && rejection(chosen, expected) === null;
  const start = (): void => {
    setStarting(true);
    reencode(id, chosen!).then(onClose, (cause: unknown) => {
      setStarting(false);
      setFailure(cause);
    });
  };
  return (
    <Dialog opened onClose={onClose} title={t("quality.reduceSizeOf", { title })} size="lg">
      <Text size="sm">
        {t("quality.storedNow", { quality: storedQuality(manifest), bytes: bytesLabel(manifest.bytes ?? 0) })}
      </Text>
      <Text size="sm" c="dimmed" role="status" data-testid="reduce-facts">
        {advice ? (
          t("quality.reduceSizeHint")
        ) : error ? (
          t("quality.notEstimated", { error: explain(error) })
        ) : (
          <Estimating />
        )}
      </Text>
      <QualityOptions
        name={title}
        chosen={chosen}
        advice={advice}
        onChoose={setChosen}
        presets={OFFERED}
        rejection={rejection}
      />
      <Alert color="yellow" mt="sm" p="xs">
        {t("quality.keepSource")}
      </Alert>
      {failure !== null && (
        <Text size="sm" className="failure" role="alert">
          {explain(failure)}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button disabled={!ready} loading={starting} onClick={start}>
          {t("quality.reduceSize")}
        </Button>
      </Group>
    </Dialog>
  );
}
