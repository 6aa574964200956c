import { Button, Group, Progress, Text } from "@mantine/core";
import { IconArrowsMinimize } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { useMay } from "../../accounts/account";
import type { Job } from "@wavescope/core/wire/catalog/jobs";
import { explain } from "@wavescope/core/wire/http/explain";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { qualityInText } from "../../quality/labels";
import { ReduceSizeDialog } from "./ReduceSizeDialog";
import { cancelReencoding, reencoding, resume } from "./reencoding";
import { t } from "@wavescope/core/i18n/i18n";

/** In the information panel: a smaller version of the slide, made from its stored pixels. */
export function ReduceSize({ manifest }: { readonly manifest: Manifest }) {
  const { id, editable, preview } = manifest;
  const [choosing, setChoosing] = useState(false);
  const job = useStore(reencoding, (jobs) => jobs[id]);
  const allowed = useMay("instructor") && editable && !preview;
  useEffect(() => {
    if (allowed) void resume(id);
  }, [id, allowed]);
  if (!allowed) return null;
  if (job) return <Underway job={job} slideId={id} />;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        mt={6}
        leftSection={<IconArrowsMinimize size={15} />}
        onClick={() => setChoosing(true)}
      >
        {t("quality.reduceSize")}
      </Button>
      {choosing && <ReduceSizeDialog manifest={manifest} onClose={() => setChoosing(false)} />}
    </>
  );
}

function Underway({ job, slideId }: { readonly job: Job; readonly slideId: string }) {
  const [failure, setFailure] = useState<unknown>(null);
  const quality = qualityInText(job.quality);
  const percent = job.total > 0 ? Math.floor((100 * job.done) / job.total) : null;
  const text = percent === null ? t("quality.reducing", { quality }) : t("quality.reducingPart", { quality, percent });
  return (
    <div data-testid="reducing">
      <Text size="sm" mt={6} role="status">
        {text}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Progress value={percent ?? 100} animated={percent === null} size="sm" flex={1} aria-label={text} />
        <Button size="compact-xs" variant="default" onClick={() => void cancelReencoding(slideId).catch(setFailure)}>
          {t("common.cancel")}
        </Button>
      </Group>
      {failure !== null && (
        <Text size="xs" className="failure" role="alert">
          {explain(failure)}
        </Text>
      )}
    </div>
  );
}
