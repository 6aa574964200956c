import { ActionIcon, CopyButton, TextInput, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { t } from "@wavescope/core/i18n/i18n";

/** A value to enter elsewhere, with a button that copies it. */
export function Copied({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <TextInput
      label={name}
      value={value}
      readOnly
      onFocus={(event) => event.currentTarget.select()}
      rightSection={
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t("common.copied") : t("platforms.copy", { name })}>
              <ActionIcon variant="subtle" aria-label={t("platforms.copy", { name })} onClick={copy}>
                {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      }
    />
  );
}
