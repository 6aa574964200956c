import { Button, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { casePath, navigate } from "../state/router";
import { useMay } from "../accounts/account";
import styles from "../ui/page.module.css";
import { later } from "../ui/later/Later";
import { CaseLinks, useCaseDrop } from "./CaseLinks";
import { useCases } from "./queries";
import { t } from "@wavescope/core/i18n/i18n";

const NewCaseDialog = later(async () => (await import("./CaseDialogs")).NewCaseDialog);

/** Cases and collections beside the gallery. */
export function CaseList() {
  const [creating, setCreating] = useState(false);
  const may = useMay("instructor");
  const cases = useCases().data ?? [];
  const drop = useCaseDrop(cases, "");
  return (
    <nav aria-label={t("cases.casesAndCollections")} className={styles.cases}>
      <div className={styles.casesHead} {...drop}>
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
      <CaseLinks cases={cases} />
      {creating && <NewCaseDialog onClose={() => setCreating(false)} onSaved={({ id }) => navigate(casePath(id))} />}
    </nav>
  );
}
