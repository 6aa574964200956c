import { Button, Group, Modal, Progress as Bar, Radio, Text, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Progress } from "@wavescope/core/local/encoding/encodeLocal";
import { type LocalQuality, QUALITIES } from "@wavescope/core/local/encoding/trials";
import { t } from "@wavescope/core/i18n/i18n";
import { useMay } from "../accounts/account";
import { QUALITY_MEANINGS, QUALITY_NAMES } from "../quality/labels";
import { durationLabel } from "../ui/format";
import { notify } from "../ui/notice";
import { type Target, encodeTo, targetFile } from "./encoding";
import { reasonOf } from "./reason";

interface Props {
  readonly file: File;
  readonly onClose: () => void;
  /** Called once the encoded slide is being uploaded. */
  readonly onUpload?: () => void;
}

/** Encodes a local file in this browser: then it is uploaded, or saved as a file (LI25). Closing it cancels. */
export function EncodeDialog({ file, onClose, onUpload = onClose }: Props) {
  const [title, setTitle] = useState("");
  const [quality, setQuality] = useState<LocalQuality>("visual");
  const [running, setRunning] = useState<AbortController | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const mayUpload = useMay("instructor");
  useEffect(() => () => running?.abort(), [running]);
  const name = title.trim();
  const run = async (target: Target): Promise<void> => {
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
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={!running}
      title={t("incoming.encodeTitle")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Text size="sm" c="dimmed">
        {t("incoming.encodeHint")}
      </Text>
      <TextInput
        mt="sm"
        label={t("common.title")}
        description={t("incoming.titleHint")}
        value={title}
        required
        data-autofocus
        maxLength={200}
        disabled={running !== null}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Radio.Group
        mt="sm"
        label={t("quality.chooseImageQuality")}
        value={quality}
        onChange={(value) => setQuality(value)}
      >
        {QUALITIES.map((one) => (
          <Radio
            key={one}
            my={6}
            value={one}
            label={QUALITY_NAMES[one]}
            description={QUALITY_MEANINGS[one]}
            disabled={running !== null}
          />
        ))}
      </Radio.Group>
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
        <Button variant={mayUpload ? "default" : "filled"} disabled={!name || running !== null} onClick={save}>
          {t("incoming.saveAsFile")}
        </Button>
        {mayUpload && (
          <Button disabled={!name || running !== null} onClick={() => void run("upload")}>
            {t("incoming.encodeAndUpload")}
          </Button>
        )}
      </Group>
    </Modal>
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
