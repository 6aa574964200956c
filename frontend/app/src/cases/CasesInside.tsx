import { Stack, Title } from "@mantine/core";
import { t } from "@wavescope/core/i18n/i18n";
import { CaseLinks } from "./CaseLinks";
import { useCases } from "./queries";
import { insideOf } from "./tree";

/** What lies in the collection. */
export function CasesInside({ id }: { readonly id: string }) {
  const cases = useCases().data ?? [];
  if (insideOf(cases, id).length === 0) return null;
  return (
    <Stack component="nav" gap={0} mb="lg" maw={480} aria-label={t("cases.inside")} data-testid="cases-inside">
      <Title order={2} size="h5">
        {t("cases.inside")}
      </Title>
      <CaseLinks cases={cases} within={id} />
    </Stack>
  );
}
