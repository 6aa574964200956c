import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Sharing } from "@wavescope/core/wire/accounts/sharingClient";
import { useKnownMay } from "../accounts/account";
import { PersonSearch } from "./PersonSearch";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly sharing: Sharing;
  readonly saving: boolean;
  /** With the id of the new owner. */
  readonly onChange: (owner: string) => void;
}

/** Who owns it; admins give it to another user. */
export function OwnerSection({ sharing: { owner }, saving, onChange }: Props) {
  const [choosing, setChoosing] = useState(false);
  const admin = useKnownMay("admin");
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" data-testid="owner">
          {owner ? t("sharing.ownedBy", { title: owner.title }) : t("sharing.ownedByAdmins")}
        </Text>
        {admin && !choosing && (
          <Button size="compact-sm" variant="default" loading={saving} onClick={() => setChoosing(true)}>
            {t("sharing.changeOwner")}
          </Button>
        )}
      </Group>
      {choosing && (
        <>
          <PersonSearch
            label={t("sharing.newOwner")}
            excluded={[owner?.id ?? ""]}
            groups={false}
            onAdd={({ id }) => {
              setChoosing(false);
              onChange(id);
            }}
          />
          <Text size="xs" c="dimmed">
            {t("sharing.ownerHint")}
          </Text>
        </>
      )}
    </Stack>
  );
}
