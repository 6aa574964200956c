import { ActionIcon, Group, Select, Stack, Text } from "@mantine/core";
import { IconUser, IconUsers, IconX } from "@tabler/icons-react";
import type { Right, Share, Sharing } from "@wavescope/core/wire/accounts/sharingClient";
import { PersonSearch } from "./PersonSearch";
import { t } from "@wavescope/core/i18n/i18n";

export const RIGHTS = [
  { value: "view", label: t("sharing.canView") },
  { value: "annotate", label: t("sharing.canAnnotate") },
];

interface Props {
  readonly sharing: Sharing;
  readonly saving: boolean;
  readonly onChange: (shares: readonly Share[]) => void;
}

/** Users and groups with their rights. */
export function PeopleSection({ sharing, saving, onChange }: Props) {
  const { shares, owner } = sharing;
  const change = (share: Share, right: Right): void =>
    onChange(shares.map((other) => (other === share ? { ...other, right } : other)));
  return (
    <Stack gap="xs" data-testid="shares">
      <PersonSearch
        label={t("sharing.peopleAndGroups")}
        excluded={[...shares.map((share) => share.id), owner?.id ?? ""]}
        onAdd={(share) => onChange([...shares, share])}
      />
      {shares.map((share) => (
        <Group key={`${share.kind} ${share.id}`} wrap="nowrap" gap="xs" data-testid="share">
          {share.kind === "group" ? (
            <IconUsers size={16} aria-label={t("sharing.group")} />
          ) : (
            <IconUser size={16} aria-label={t("sharing.person")} />
          )}
          <Text size="sm" truncate flex={1}>
            {share.title}
          </Text>
          <Select
            aria-label={t("sharing.accessOf", { title: share.title })}
            data={RIGHTS}
            value={share.right}
            onChange={(right) => change(share, right === "annotate" ? "annotate" : "view")}
            disabled={saving}
            allowDeselect={false}
            size="xs"
            w={140}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("sharing.removeAccess", { title: share.title })}
            disabled={saving}
            onClick={() => onChange(shares.filter((other) => other !== share))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}
