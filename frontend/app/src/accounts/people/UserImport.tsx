import { Alert, Button, List, Stack, Table, Text } from "@mantine/core";
import { IconFileImport } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { type ImportLine, type Imported, importUsers, previewImport } from "@wavescope/core/wire/accounts/usersClient";
import { ROLE_NAMES } from "../../ui/roles";
import { CreatedAccounts } from "./CreatedAccounts";
import { decodedText } from "./decodedText";
import styles from "./people.module.css";
import { FileChooser } from "../../ui/FileChooser";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

/** Creates the accounts of a CSV file, after a look at what it would make. */
export function UserImport() {
  const [open, setOpen] = useState(false);
  const [imported, setImported] = useState<Imported | null>(null);
  const [stored, setStored] = useState(true);
  const [asking, setAsking] = useState(false);
  useLeaveWarning(!stored);
  const close = (): void => {
    setOpen(false);
    setAsking(false);
    setStored(true);
    setImported(null);
  };
  const created = (now: Imported): void => {
    setImported(now);
    setStored(now.passwords.length === 0);
  };
  return (
    <>
      <Button variant="default" leftSection={<IconFileImport size={16} />} onClick={() => setOpen(true)}>
        {t("accounts.importUsers")}
      </Button>
      <Dialog
        opened={open}
        onClose={() => (stored ? close() : setAsking(true))}
        title={t("accounts.importUsers")}
        size="xl"
        closeOnClickOutside={false}
      >
        {asking && !stored && (
          <Alert color="yellow" role="alert" title={t("accounts.passwordsNotStored")} mb="md">
            <Stack gap="xs" align="flex-start">
              {t("accounts.passwordsNotStoredHint")}
              <Button size="compact-sm" color="red.9" onClick={close}>
                {t("accounts.closeWithoutPasswords")}
              </Button>
            </Stack>
          </Alert>
        )}
        {imported ? (
          <CreatedAccounts imported={imported} onStored={() => setStored(true)} />
        ) : (
          <ImportForm onCreated={created} />
        )}
      </Dialog>
    </>
  );
}

/** The browser asks before the page is left while something on it would be lost. */
function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [active]);
}

function ImportForm({ onCreated }: { readonly onCreated: (imported: Imported) => void }) {
  const client = useQueryClient();
  const preview = useMutation({
    mutationFn: async (file: File) => {
      const csv = decodedText(await file.arrayBuffer());
      return { csv, ...(await previewImport(csv)) };
    },
  });
  const create = useMutation({
    mutationFn: importUsers,
    onSuccess: (imported) => {
      onCreated(imported);
      for (const key of ["users", "groups"]) void client.invalidateQueries({ queryKey: [key] });
    },
  });
  const choose = (file: File): void => {
    create.reset();
    preview.mutate(file);
  };
  const error = create.error ?? preview.error;
  const found = preview.data;
  return (
    <Stack>
      <Text size="sm">{t("accounts.importHint")}</Text>
      <FileChooser accept=".csv,text/csv" onChoose={choose} inputProps={{ "aria-label": t("accounts.chooseFile") }}>
        {(props) => (
          <Button {...props} variant="default" loading={preview.isPending} style={{ alignSelf: "flex-start" }}>
            {t("accounts.chooseFile")}
          </Button>
        )}
      </FileChooser>
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
