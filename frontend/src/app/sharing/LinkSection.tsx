import { ActionIcon, Alert, Button, CopyButton, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconCopy, IconLink, IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "../../wire/http/explain";
import {
  type Right,
  type Scope,
  type ShareLink,
  createLink,
  listLinks,
  revokeLink,
} from "../../wire/accounts/sharingClient";
import { dateLabel } from "../ui/dates";
import { RIGHTS } from "./PeopleSection";
import { t } from "../../i18n/i18n";

const DAY = 86_400;
const LIVES = [
  { value: String(DAY), label: t("sharing.forDay") },
  { value: String(7 * DAY), label: t("sharing.forWeek") },
  { value: String(30 * DAY), label: t("sharing.forMonth") },
  { value: "", label: t("sharing.untilRevoked") },
];

interface Props {
  readonly scope: Scope;
  readonly id: string;
}

/** Links that open it for anyone who has them: create, copy once, revoke. */
export function LinkSection({ scope, id }: Props) {
  const key = ["links", scope, id];
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: key });
  const links = useQuery({ queryKey: key, queryFn: ({ signal }) => listLinks(scope, id, signal), staleTime: 0 });
  const revoke = useMutation({ mutationFn: revokeLink, onSuccess: refresh });
  return (
    <Stack gap="xs">
      <NewLink scope={scope} id={id} onMade={refresh} />
      {(links.error ?? revoke.error) && <Alert color="red">{explain(links.error ?? revoke.error)}</Alert>}
      {links.data?.map((link) => (
        <Group key={link.id} wrap="nowrap" gap="xs" data-testid="link">
          <IconLink size={16} aria-hidden="true" />
          <Text size="sm" flex={1} c={link.over ? "dimmed" : undefined}>
            {wordsOf(link)}
          </Text>
          {!link.over && (
            <Button
              variant="default"
              size="compact-sm"
              loading={revoke.isPending}
              onClick={() => revoke.mutate(link.id)}
              leftSection={<IconX size={14} />}
            >
              {t("common.revoke")}
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  );
}

function NewLink({ scope, id, onMade }: Props & { readonly onMade: () => Promise<void> }) {
  const [right, setRight] = useState<Right>("view");
  const [life, setLife] = useState(String(7 * DAY));
  const make = useMutation({
    mutationFn: () => createLink(scope, id, { right, title: "", seconds: life === "" ? null : Number(life) }),
    onSuccess: onMade,
  });
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <Select
          label={t("sharing.anyoneWithLink")}
          data={RIGHTS}
          value={right}
          onChange={(value) => setRight(value === "annotate" ? "annotate" : "view")}
          allowDeselect={false}
          w={180}
        />
        <Select
          label={t("common.validity")}
          data={LIVES}
          value={life}
          onChange={(value) => setLife(value ?? "")}
          allowDeselect={false}
          flex={1}
          miw={150}
        />
        <Button onClick={() => make.mutate()} loading={make.isPending}>
          {t("sharing.createLink")}
        </Button>
      </Group>
      {make.error && <Alert color="red">{explain(make.error)}</Alert>}
      {make.data && <MadeLink address={`${location.origin}/open#${make.data}`} />}
    </Stack>
  );
}

function MadeLink({ address }: { readonly address: string }) {
  const copied = (done: boolean, copy: () => void) => (
    <ActionIcon
      variant="default"
      size="lg"
      onClick={copy}
      aria-label={done ? t("common.copied") : t("common.copyLink")}
    >
      {done ? <IconCheck size={16} /> : <IconCopy size={16} />}
    </ActionIcon>
  );
  return (
    <Alert color="blue" title={t("common.copyNow")}>
      <Group wrap="nowrap" gap="xs">
        <TextInput
          readOnly
          flex={1}
          value={address}
          aria-label={t("sharing.link")}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={address}>{({ copied: done, copy }) => copied(done, copy)}</CopyButton>
      </Group>
    </Alert>
  );
}

function wordsOf(link: ShareLink): string {
  const right = link.right === "annotate" ? t("sharing.canAnnotate") : t("sharing.canView");
  const end = link.over
    ? t("sharing.ended")
    : link.expires === null
      ? t("common.untilRevoked")
      : t("common.until", { expires: dateLabel(link.expires, "day") });
  return [
    link.title,
    right,
    end,
    link.used ? t("common.lastUsed", { used: dateLabel(link.used, "day") }) : t("common.neverUsed"),
  ]
    .filter(Boolean)
    .join(" · ");
}
