import { Alert, Button, Group } from "@mantine/core";
import { explain } from "@wavescope/core/wire/http/explain";
import type { ArchiveRequest, ExportRequest } from "@wavescope/core/wire/catalog/exportsClient";
import type { PartProps } from "../../microscope/parts";
import { t } from "@wavescope/core/i18n/i18n";

/** What the forms of files that the service makes are given. */
export interface FormProps extends PartProps {
  readonly onClose: () => void;
  readonly onStart: (request: ExportRequest | ArchiveRequest) => void;
  readonly starting: boolean;
  readonly failure: Error | null;
}

interface Props extends Pick<FormProps, "onClose" | "onStart" | "starting" | "failure"> {
  /** Null: nothing that can be made. */
  readonly request: ExportRequest | ArchiveRequest | null;
}

export function FormActions({ request, onClose, onStart, starting, failure }: Props) {
  return (
    <>
      {failure && <Alert color="red">{explain(failure)}</Alert>}
      <Group justify="flex-end" wrap="nowrap">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button disabled={!request} loading={starting} onClick={() => request && onStart(request)}>
          {t("exporting.export")}
        </Button>
      </Group>
    </>
  );
}
