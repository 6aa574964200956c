import { Button, Fieldset, Group, Progress as Bar, Text, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Progress } from "@wavescope/core/local/encoding/encodeLocal";
import { isLocalQuality } from "@wavescope/core/local/encoding/choice";
import { t } from "@wavescope/core/i18n/i18n";
import { useMay } from "../accounts/account";
import { QualityOptions } from "../quality/QualityOptions";
import { durationLabel } from "../ui/format";
import { notify } from "../ui/notice";
import { type Target, encodeTo, targetFile } from "./encoding";
import { reasonOf } from "./reason";
import { Dialog } from "../ui/Dialog";

interface Props {
  readonly file: File;
  readonly onClose: () => void;
  /** Called once the encoded slide is being uploaded. */
  readonly onUpload?: () => void;
}

/** Encodes a local file in this browser: then it is uploaded, or saved as a file (LI25). Closing it cancels. */
export function EncodeDialog({ file, onClose, onUpload = onClose }: Props) {
  const [title, setTitle] = useState("");
  const [quality, setQuality] = useState<string | null>("visual");
  const [running, setRunning] = useState<AbortController | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const mayUpload = useMay("instructor");
  useEffect(() => () => running?.abort(), [running]);
  const name = title.trim();
  const ready = name !== "" && quality !== null && !running;
  const run = async (target: Target): Promise<void> => {
    if (!quality || !isLocalQuality(quality)) return;
    const control = new AbortController();
    setRunning(control);
    setFailure(null);
    try {
      await encodeTo(target, file, { quality, title: name }, setProgress, control.signal);
      if (target === "upload") return onUpload();
      notify(t("incoming.saved", { title: name }));
      onClose();
    } catch (error) {
      if (!control.signal.aborted) setFailure(reasonOf(error));
    } finally {
      setRunning(null);
      setProgress(null);
    }
  };
  const save = (): void =>
    void targetFile(name).then(
      (target) => target && run(target),
      (error: unknown) => setFailure(reasonOf(error)),
    );
  return (
    <Dialog opened onClose={onClose} closeOnClickOutside={!running} title={t("incoming.encodeTitle")} size="lg">
      <Text size="sm" c="dimmed">
        {t("incoming.encodeHint")}
      </Text>
      <Fieldset variant="unstyled" disabled={running !== null}>
        <TextInput
          mt="sm"
          label={t("common.title")}
          description={t("incoming.titleHint")}
          value={title}
          required
          data-autofocus
          maxLength={200}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <QualityOptions name={name || file.name} chosen={quality} advice={undefined} onChoose={setQuality} />
      </Fieldset>
      {running && <Running progress={progress} />}
      {failure !== null && (
        <Text size="sm" className="failure" role="alert">
          {t("incoming.notEncoded", { reason: failure })}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={running ? () => running.abort() : onClose}>
          {t("common.cancel")}
        </Button>
        <Button variant={mayUpload ? "default" : "filled"} disabled={!ready} onClick={save}>
          {t("incoming.saveAsFile")}
        </Button>
        {mayUpload && (
          <Button disabled={!ready} onClick={() => void run("upload")}>
            {t("incoming.encodeAndUpload")}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}

/** How far it is, and how long it will take. */
export function Running({ progress }: { readonly progress: Progress | null }) {
  return (
    <>
      <Text size="sm" mt="sm" role="status" data-testid="encoding-progress">
        {labelOf(progress)}
      </Text>
      <Bar value={100 * (progress?.share ?? 0)} animated aria-label={t("incoming.encodeTitle")} />
    </>
  );
}

function labelOf(progress: Progress | null): string {
  if (!progress) return t("incoming.starting");
  const percent = Math.floor(100 * progress.share);
  if (progress.phase === "hashing") return t("incoming.hashing", { percent });
  if (progress.phase === "choosing") return t("incoming.choosing");
  return progress.secondsLeft === null
    ? t("incoming.encoding", { percent })
    : t("incoming.encodingLeft", { percent, left: durationLabel(progress.secondsLeft) });
}
