import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { dateLabel } from "../ui/dates";
import { useManifest } from "../state/queries";
import { navigate, slidePath } from "../state/router";
import { type Incoming, begin, cancel } from "../state/uploads";
import { qualitiesInText } from "./labels";
import styles from "./storing.module.css";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";

interface Props {
  readonly entries: readonly Incoming[];
  readonly onClose: () => void;
}

/** Files that are stored already: open the slide there is, replace it, or keep both. */
export function StoredDialog({ entries, onClose }: Props) {
  const [failure, setFailure] = useState<unknown>(null);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t("quality.alreadyStored")}
      size="lg"
      closeButtonProps={{ "aria-label": t("quality.decideLater") }}
    >
      {entries.map((job) => (
        <StoredFile key={job.key} job={job} onFailure={setFailure} onClose={onClose} />
      ))}
      {failure !== null && <Text className="failure">{explain(failure)}</Text>}
      <Text size="xs" c="dimmed" mt="md">
        {t("quality.canClose")}
      </Text>
    </Dialog>
  );
}

interface FileProps {
  readonly job: Incoming;
  readonly onFailure: (failure: unknown) => void;
  readonly onClose: () => void;
}

function StoredFile({ job, onFailure, onClose }: FileProps) {
  const slideId = job.storedAs[0]!;
  const { data: slide } = useManifest(slideId);
  const act = (work: Promise<unknown>): void => void work.catch(onFailure);
  const open = (): void => {
    cancel(job.key);
    onClose();
    navigate(slidePath(slideId));
  };
  const title = slide?.title ?? slideId;
  return (
    <section className={styles.choice} aria-label={job.name} data-testid="stored-file">
      <Text fw={600} truncate title={job.name}>
        {job.name}
      </Text>
      <Text size="sm">{storedAs(title, slide, job.storedAs.length)}</Text>
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" onClick={open}>
          {t("quality.open")}
        </Button>
        {slide?.editable && (
          <Button size="compact-sm" variant="default" onClick={() => act(begin(job.key, slideId))}>
            {t("quality.replace")}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => act(begin(job.key))}>
          {t("quality.keepBoth")}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => cancel(job.key)}>
          {t("quality.cancelUpload")}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        {t(slide?.editable ? "quality.replaceOrKeepBoth" : "quality.keepBothHint", {
          title,
          quality: qualitiesInText(job),
        })}
      </Text>
    </section>
  );
}

/** "The same file was imported as ...", with what is known of that slide. */
function storedAs(title: string, slide: SlideSummary | undefined, times: number): string {
  const text = slide ? storedAsSlide(title, slide) : t("quality.storedAs", { title });
  return times > 1 ? t("quality.andMore", { text, count: times - 1 }) : text;
}

function storedAsSlide(title: string, { profile, created }: SlideSummary): string {
  const quality = profile === "lossless" ? t("quality.losslessInText") : t("quality.lossyInText");
  return created === null
    ? t("quality.storedAsQuality", { title, quality })
    : t("quality.storedAsOn", { title, quality, date: dateLabel(created, "day") });
}
