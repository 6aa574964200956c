import { ActionIcon, FileButton, Tooltip } from "@mantine/core";
import { IconCpu } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { EncodeDialog } from "./EncodeDialog";

/** Chooses a file that is encoded here (LI25). */
export function EncodeButton() {
  const [file, setFile] = useState<File | null>(null);
  const reset = useRef<() => void>(null);
  const choose = (chosen: File | null): void => {
    reset.current?.(); // else the same file, chosen again, would be no change
    setFile(chosen);
  };
  return (
    <>
      <FileButton resetRef={reset} onChange={choose} inputProps={{ "aria-label": t("incoming.encodeTitle") }}>
        {(props) => (
          <Tooltip label={t("incoming.encodeTitle")}>
            <ActionIcon {...props} variant="default" size={36} visibleFrom="sm" aria-label={t("incoming.encodeTitle")}>
              <IconCpu size={18} />
            </ActionIcon>
          </Tooltip>
        )}
      </FileButton>
      {file && <EncodeDialog file={file} onClose={() => setFile(null)} />}
    </>
  );
}
