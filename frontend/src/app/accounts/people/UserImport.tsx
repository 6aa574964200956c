import { Alert, Button, FileButton, Group, List, Modal, Stack, Table, Text } from "@mantine/core";
import { IconDownload, IconFileImport } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "../../../wire/http/explain";
import { type ImportLine, type Imported, importUsers, previewImport } from "../../../wire/accounts/usersClient";
import { ROLE_NAMES } from "../../ui/roles";
import styles from "./people.module.css";
import { saveText } from "../../ui/saveText";
import { t } from "../../../i18n/i18n";

/** Creates the accounts of a CSV file, after a look at what it would make. */
export function UserImport() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconFileImport size={16} />} onClick={() => setOpen(true)}>
        {t("accounts.importUsers")}
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={t("accounts.importUsers")}
        size="xl"
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <ImportForm />
      </Modal>
    </>
  );
}

function ImportForm() {
  const client = useQueryClient();
  const preview = useMutation({
    mutationFn: async (file: File) => {
      const csv = await file.text();
      return { csv, ...(await previewImport(csv)) };
    },
  });
  const create = useMutation({
    mutationFn: importUsers,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["users"] }),
        client.invalidateQueries({ queryKey: ["groups"] }),
      ]),
  });
  const choose = (file: File | null): void => {
    create.reset();
    if (file) preview.mutate(file);
  };
  const error = create.error ?? preview.error;
  const found = preview.data;
  if (create.data) return <Created imported={create.data} />;
  return (
    <Stack>
      <Text size="sm">{t("accounts.importHint")}</Text>
      <FileButton accept=".csv,text/csv" onChange={choose} inputProps={{ "aria-label": t("accounts.chooseFile") }}>
        {(props) => (
          <Button {...props} variant="default" loading={preview.isPending} style={{ alignSelf: "flex-start" }}>
            {t("accounts.chooseFile")}
          </Button>
        )}
      </FileButton>
      {error && (
        <Alert color="red" role="alert">
          {explain(error)}
        </Alert>
      )}
      {found && <Preview lines={found.lines} />}
      {found?.ok && found.lines.length > 0 && (
        <Button style={{ alignSelf: "flex-start" }} loading={create.isPending} onClick={() => create.mutate(found.csv)}>
          {t("accounts.createAccounts", { count: found.lines.length })}
        </Button>
      )}
    </Stack>
  );
}

function Preview({ lines }: { readonly lines: readonly ImportLine[] }) {
  const problems = lines.flatMap(({ line, problem }) => (problem === null ? [] : [{ line, problem }]));
  if (lines.length === 0) return <Alert color="yellow">{t("accounts.noLines")}</Alert>;
  return (
    <>
      {problems.length > 0 && (
        <Alert color="red" role="alert" title={t("accounts.importProblems", { count: problems.length })}>
          <List size="sm" className={styles.problems}>
            {problems.map(({ line, problem }) => (
              <List.Item key={line}>{problem}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Table.ScrollContainer minWidth={560} mah={360}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {[
                t("accounts.line"),
                t("accounts.signInName"),
                t("common.name"),
                t("accounts.role"),
                t("accounts.groups"),
                t("accounts.password"),
              ].map((title) => (
                <Table.Th key={title}>{title}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map((line) => (
              <Line key={line.line} line={line} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

function Line({ line }: { readonly line: ImportLine }) {
  const role = Object.entries(ROLE_NAMES).find(([name]) => name === line.role)?.[1] ?? line.role;
  return (
    <Table.Tr data-testid="import-line" className={line.problem === null ? undefined : styles.wrong}>
      <Table.Td>{line.line}</Table.Td>
      <Table.Td>{line.name}</Table.Td>
      <Table.Td>{line.title}</Table.Td>
      <Table.Td>{role}</Table.Td>
      <Table.Td>{line.groups.join(", ")}</Table.Td>
      <Table.Td>{line.password ? t("accounts.fromFile") : t("accounts.generated")}</Table.Td>
    </Table.Tr>
  );
}

function Created({ imported }: { readonly imported: Imported }) {
  const rows = imported.passwords.map(({ name, password }) => `${name},${password}\n`);
  return (
    <Stack>
      <Alert color="green" title={t("accounts.accountsCreated", { count: imported.created })}>
        {imported.passwords.length > 0 && t("accounts.generatedPasswordsHint")}
      </Alert>
      {imported.passwords.length > 0 && (
        <>
          <Table>
            <Table.Tbody>
              {imported.passwords.map(({ name, password }) => (
                <Table.Tr key={name}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td ff="monospace">{password}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Group>
            <Button
              leftSection={<IconDownload size={16} />}
              onClick={() => saveText("first-passwords.csv", ["name,password\n", ...rows].join(""), "text/csv")}
            >
              {t("accounts.downloadPasswords")}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
