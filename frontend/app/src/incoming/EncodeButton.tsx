import { ActionIcon, FileButton, Tooltip } from "@mantine/core";
import { IconCpu } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { LocalSource } from "@wavescope/core/local/encoding/encodeLocal";
import { openSource } from "@wavescope/core/local/encoding/openSource";
import { t } from "@wavescope/core/i18n/i18n";
import { notifyFailure } from "../ui/notice";
import { EncodeDialog } from "./EncodeDialog";
import { reasonOf } from "./reason";

/** Chooses a file that is encoded here (LI25). */
export function EncodeButton() {
  const [source, setSource] = useState<LocalSource | null>(null);
  const reset = useRef<() => void>(null);
  const open = (file: File | null): void => {
    reset.current?.(); // else the same file, chosen again, would be no change
    if (!file) return;
    void openSource(file).then(setSource, (error: unknown) => notifyFailure(t("incoming.notOpened"), reasonOf(error)));
  };
  const close = (): void => {
    source?.picture.close();
    setSource(null);
  };
  return (
    <>
      <FileButton resetRef={reset} onChange={open} inputProps={{ "aria-label": t("incoming.encodeTitle") }}>
        {(props) => (
          <Tooltip label={t("incoming.encodeTitle")}>
            <ActionIcon {...props} variant="default" size={36} aria-label={t("incoming.encodeTitle")}>
              <IconCpu size={18} />
            </ActionIcon>
          </Tooltip>
        )}
      </FileButton>
      {source && <EncodeDialog source={source} onClose={close} />}
    </>
  );
}
