import { Alert, Button, CopyButton, Group, Stack, Table } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import type { Imported } from "@wavescope/core/wire/accounts/usersClient";
import { saveText } from "../../ui/saveFile";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly imported: Imported;
  /** The passwords were downloaded or copied. */
  readonly onStored: () => void;
}

/** What an import has created: the generated passwords are shown this once. */
export function CreatedAccounts({ imported: { created, passwords }, onStored }: Props) {
  const text = ["name,password\n", ...passwords.map(({ name, password }) => `${name},${password}\n`)].join("");
  const download = (): void => {
    saveText("first-passwords.csv", text, "text/csv");
    onStored();
  };
  return (
    <Stack>
      <Alert color="green" title={t("accounts.accountsCreated", { count: created })}>
        {passwords.length > 0 && t("accounts.generatedPasswordsHint")}
      </Alert>
      {passwords.length > 0 && (
        <>
          <Table>
            <Table.Tbody>
              {passwords.map(({ name, password }) => (
                <Table.Tr key={name}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td ff="monospace">{password}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Group>
            <Button leftSection={<IconDownload size={16} />} onClick={download}>
              {t("accounts.downloadPasswords")}
            </Button>
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button
                  variant="default"
                  leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                  onClick={() => {
                    copy();
                    onStored();
                  }}
                >
                  {copied ? t("common.copied") : t("accounts.copyPasswords")}
                </Button>
              )}
            </CopyButton>
          </Group>
        </>
      )}
    </Stack>
  );
}
