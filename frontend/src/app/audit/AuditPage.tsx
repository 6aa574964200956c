import { Alert, Anchor, Button, Group, Loader, Select, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue, useDocumentTitle } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AuditEntry, type AuditFilter, auditFile, listAudit } from "../../wire/auditClient";
import { explain } from "../../wire/errors";
import { PageHeader } from "../PageHeader";
import { addressOf, follow, slidePath } from "../router";
import styles from "../gallery/gallery.module.css";

const EVERYTHING: AuditFilter = { action: "", slide: "", name: "", since: "" };
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Who did what to which slide, when; for admins. */
export function AuditPage() {
  useDocumentTitle("Audit log – Wavescope");
  const [filter, setFilter] = useState(EVERYTHING);
  const [asked] = useDebouncedValue(filter, 250);
  const log = useInfiniteQuery({
    queryKey: ["audit", asked],
    queryFn: ({ pageParam, signal }) => listAudit(asked, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.before,
    retry: false,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <div className={styles.page} data-testid="audit-page">
      <PageHeader title="Audit log">
        <Button component="a" variant="default" size="compact-sm" href={auditFile(asked)} download>
          Download
        </Button>
      </PageHeader>
      <main className={styles.main}>
        <Filters filter={filter} actions={log.data?.pages[0]?.actions ?? []} onFilter={setFilter} />
        {log.isPending && <Loader aria-label="Loading the audit log" />}
        {log.error && <Alert color="red">{explain(log.error)}</Alert>}
        {log.data && (entries.length > 0 ? <Entries entries={entries} /> : <Text c="dimmed">No entry agrees.</Text>)}
        {log.hasNextPage && (
          <Button variant="default" mt="md" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Older entries
          </Button>
        )}
      </main>
    </div>
  );
}

interface FiltersProps {
  readonly filter: AuditFilter;
  readonly actions: readonly string[];
  readonly onFilter: (filter: AuditFilter) => void;
}

function Filters({ filter, actions, onFilter }: FiltersProps) {
  const field = (key: "slide" | "name" | "since", label: string, type = "text") => (
    <TextInput label={label} type={type} size="sm" flex="1 1 120px" maw={240} value={filter[key]} onChange={(event) => onFilter({ ...filter, [key]: event.currentTarget.value })} />
  );
  return (
    <Group align="end" gap="sm" mb="md">
      {field("name", "Who")}
      <Select label="What" size="sm" flex="1 1 120px" maw={240} clearable searchable data={[...actions]} value={filter.action || null} onChange={(action) => onFilter({ ...filter, action: action ?? "" })} />
      {field("slide", "Slide (id)")}
      {field("since", "Since", "date")}
    </Group>
  );
}

function Entries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table striped verticalSpacing={4} data-testid="audit-entries">
        <Table.Thead>
          <Table.Tr>
            {["When", "Who", "What", "Slide", "From", "More"].map((name) => (
              <Table.Th key={name} scope="col">{name}</Table.Th>
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
  const path = entry.slide === null ? null : slidePath(entry.slide);
  return (
    <Table.Tr>
      <Table.Td>
        <time dateTime={entry.time}>{WHEN.format(new Date(entry.time))}</time>
      </Table.Td>
      <Table.Td>{entry.name || entry.kind}</Table.Td>
      <Table.Td>{entry.action}</Table.Td>
      <Table.Td>
        {path && (
          <Anchor href={addressOf(path)} size="sm" onClick={(event) => follow(event, path)}>
            {entry.slide}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td>{entry.address}</Table.Td>
      <Table.Td>{entry.detail}</Table.Td>
    </Table.Tr>
  );
}
