import { ActionIcon, CopyButton, Group, Stack, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { addressesOf } from "./addresses";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly kind: "slide" | "case";
  readonly id: string;
}

/** The addresses by which other software opens a slide or a case, each with a button that copies it. */
export function AddressList({ kind, id }: Props) {
  return (
    <Stack gap="xs" data-testid="addresses">
      {addressesOf(kind, id, location.origin).map(({ name, address }) => (
        <Group key={name} align="flex-end" wrap="nowrap" gap="xs">
          <TextInput
            readOnly
            flex={1}
            size="xs"
            label={name}
            value={address}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <ActionIcon
                variant="default"
                size={30}
                onClick={copy}
                aria-label={copied ? t("common.copied") : t("sharing.copyAddress", { name })}
              >
                {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              </ActionIcon>
            )}
          </CopyButton>
        </Group>
      ))}
    </Stack>
  );
}
