import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { BUDGETS } from "@wavescope/core/wire/stored/policy";
import { slideStore } from "@wavescope/core/wire/stored/slideStore";
import { bytesLabel } from "../../ui/format";
import { t } from "@wavescope/core/i18n/i18n";

const KEY = ["stored-here"];

/** What this browser stores of the slides that were viewed: how much, how much it may be, and deleting it (PG21). */
export function StoredHere() {
  const client = useQueryClient();
  const { data: used = 0 } = useQuery({ queryKey: KEY, queryFn: () => slideStore.used(), staleTime: 0 });
  const after = (done: Promise<void>): void => void done.then(() => client.invalidateQueries({ queryKey: KEY }));
  const budget = slideStore.budget;
  return (
    <>
      <Text size="sm" data-testid="stored-here">
        {t("information.storedHereOf", { used: bytesLabel(used), budget: bytesLabel(budget) })}
      </Text>
      <Group gap="sm" align="flex-end">
        <NativeSelect
          size="xs"
          label={t("information.storedHereLimit")}
          defaultValue={String(budget)}
          data={BUDGETS.map((bytes) => ({
            value: String(bytes),
            label: bytes === 0 ? t("information.storeNothing") : bytesLabel(bytes),
          }))}
          onChange={(event) => after(slideStore.setBudget(Number(event.currentTarget.value)))}
        />
        <Button size="xs" variant="default" disabled={used === 0} onClick={() => after(slideStore.clear())}>
          {t("information.clearStoredHere")}
        </Button>
      </Group>
    </>
  );
}
