import { Button, NavLink, Text, Title } from "@mantine/core";
import { IconFolder, IconPlus, IconStack2 } from "@tabler/icons-react";
import { useState } from "react";
import { addressOf, casePath, follow, navigate } from "../state/router";
import { useMay } from "../accounts/account";
import styles from "../ui/page.module.css";
import { NewCaseDialog } from "./CaseDialogs";
import { useCases } from "./queries";
import { t } from "@wavescope/core/i18n/i18n";

/** Cases and collections beside the gallery. */
export function CaseList() {
  const [creating, setCreating] = useState(false);
  const may = useMay("instructor");
  const cases = useCases().data ?? [];
  return (
    <nav aria-label={t("cases.casesAndCollections")} className={styles.cases}>
      <div className={styles.casesHead}>
        <Title order={2} size="h6">
          {t("cases.cases")}
        </Title>
        {may && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={12} />}
            onClick={() => setCreating(true)}
          >
            {t("cases.new")}
          </Button>
        )}
      </div>
      {cases.length === 0 && (
        <Text size="xs" c="dimmed" px={6}>
          {t("cases.casesHint")}
        </Text>
      )}
      {cases.map(({ id, title, kind, slides }) => (
        <NavLink
          key={id}
          href={addressOf(casePath(id))}
          onClick={(event) => follow(event, casePath(id))}
          label={title}
          leftSection={kind === "collection" ? <IconStack2 size={16} /> : <IconFolder size={16} />}
          rightSection={
            <Text size="xs" c="dimmed">
              {slides}
            </Text>
          }
          data-testid="case-link"
        />
      ))}
      {creating && <NewCaseDialog onClose={() => setCreating(false)} onSaved={({ id }) => navigate(casePath(id))} />}
    </nav>
  );
}
