import { Alert, Button, Loader, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type AuditFilter, auditFile, listAudit } from "@wavescope/core/wire/accounts/auditClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { PageHeader } from "../accounts/PageHeader";
import { narrowTo } from "../state/listFilter";
import { RoleGate } from "../accounts/RoleGate";
import { useSearchText } from "../state/router";
import styles from "../ui/page.module.css";
import { AuditEntries } from "./AuditEntries";
import { AuditFilters } from "./AuditFilters";
import { filterIn, filterQuery } from "./filter";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** Who did what to which slide, when; for admins. */
export function AuditPage() {
  usePageTitle(t("audit.auditLog"));
  const text = useSearchText();
  const filter = useMemo(() => filterIn(text), [text]);
  return (
    <div className={styles.page} data-testid="audit-page">
      <PageHeader title={t("audit.auditLog")} />
      <main className={styles.main}>
        <RoleGate least="admin" name={t("audit.auditLogInSentence")}>
          <Log filter={filter} />
        </RoleGate>
      </main>
    </div>
  );
}

function Log({ filter }: { readonly filter: AuditFilter }) {
  const log = useInfiniteQuery({
    queryKey: ["audit", filter],
    queryFn: ({ pageParam, signal }) => listAudit(filter, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.before,
    retry: false,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <AuditFilters
        filter={filter}
        actions={log.data?.pages[0]?.actions ?? []}
        onFilter={(next, typing) => narrowTo(filterQuery(next), typing)}
      >
        <Button component="a" variant="default" href={auditFile(filter)} download>
          {t("audit.download")}
        </Button>
      </AuditFilters>
      {log.isPending && <Loader aria-label={t("audit.loadingAuditLog")} />}
      {log.error && <Alert color="red">{explain(log.error)}</Alert>}
      {log.data &&
        (entries.length > 0 ? <AuditEntries entries={entries} /> : <Text c="dimmed">{t("audit.noEntryMatches")}</Text>)}
      {log.hasNextPage && (
        <Button variant="default" mt="md" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t("audit.olderEntries")}
        </Button>
      )}
    </>
  );
}
