import { Anchor, Table, Text } from "@mantine/core";
import type { AuditEntry } from "@wavescope/core/wire/accounts/auditClient";
import { dateLabel } from "../ui/dates";
import { addressOf, follow, slidePath } from "../state/router";
import styles from "./audit.module.css";
import { actionName } from "./actionNames";
import { t } from "@wavescope/core/i18n/i18n";

const COLUMNS = [
  t("audit.when"),
  t("audit.user"),
  t("audit.action"),
  t("audit.slide"),
  t("audit.file"),
  t("audit.from"),
  t("audit.more"),
];

export function AuditEntries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table striped verticalSpacing={4} data-testid="audit-entries">
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map((name) => (
              <Table.Th key={name} scope="col">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Entry key={entry.sequence} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  return (
    <Table.Tr>
      <Table.Td className={styles.when}>
        <time dateTime={entry.time}>{dateLabel(entry.time, "second")}</time>
      </Table.Td>
      <Table.Td>{entry.name || entry.kind}</Table.Td>
      <Table.Td>{actionName(entry.action)}</Table.Td>
      <Table.Td className={styles.name}>
        <Subject entry={entry} />
      </Table.Td>
      <Table.Td className={styles.name}>{entry.file}</Table.Td>
      <Table.Td>{entry.address}</Table.Td>
      <Table.Td className={styles.name}>{entry.detail}</Table.Td>
    </Table.Tr>
  );
}

/** What the entry is about, by the name that it had then; of a slide its id, too. */
function Subject({ entry: { slide, title } }: { readonly entry: AuditEntry }) {
  if (slide === null) return title;
  const path = slidePath(slide);
  return (
    <>
      <Anchor href={addressOf(path)} size="sm" onClick={(event) => follow(event, path)}>
        {title ?? slide}
      </Anchor>
      {title !== null && title !== slide && (
        <Text size="xs" c="dimmed">
          {slide}
        </Text>
      )}
    </>
  );
}
