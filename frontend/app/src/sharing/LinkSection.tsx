import { ActionIcon, Alert, Button, CopyButton, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconCopy, IconLink, IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import {
  type Right,
  type ShareKind,
  type ShareLink,
  createLink,
  listLinks,
  revokeLink,
} from "@wavescope/core/wire/accounts/sharingClient";
import { dateLabel } from "../ui/dates";
import { RIGHTS } from "./PeopleSection";
import { t } from "@wavescope/core/i18n/i18n";

const DAY = 86_400;
const VALIDITIES = [
  { value: String(DAY), label: t("sharing.forDay") },
  { value: String(7 * DAY), label: t("sharing.forWeek") },
  { value: String(30 * DAY), label: t("sharing.forMonth") },
  { value: "", label: t("sharing.untilRevoked") },
];

interface Props {
  readonly kind: ShareKind;
  readonly id: string;
}

/** Links that open it for anyone who has them: create, copy once, revoke. */
export function LinkSection({ kind, id }: Props) {
  const key = ["links", kind, id];
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: key });
  const links = useQuery({ queryKey: key, queryFn: ({ signal }) => listLinks(kind, id, signal), staleTime: 0 });
  const revoke = useMutation({ mutationFn: revokeLink, onSuccess: refresh });
  return (
    <Stack gap="xs">
      <NewLink kind={kind} id={id} onCreated={refresh} />
      {(links.error ?? revoke.error) && <Alert color="red">{explain(links.error ?? revoke.error)}</Alert>}
      {links.data?.map((link) => (
        <Group key={link.id} wrap="nowrap" gap="xs" data-testid="link">
          <IconLink size={16} aria-hidden="true" />
          <Text size="sm" flex={1} c={link.over ? "dimmed" : undefined}>
            {linkLabel(link)}
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

function NewLink({ kind, id, onCreated }: Props & { readonly onCreated: () => Promise<void> }) {
  const [right, setRight] = useState<Right>("view");
  const [validity, setValidity] = useState(String(7 * DAY));
  const create = useMutation({
    mutationFn: () => createLink(kind, id, { right, title: "", seconds: validity === "" ? null : Number(validity) }),
    onSuccess: onCreated,
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
          data={VALIDITIES}
          value={validity}
          onChange={(value) => setValidity(value ?? "")}
          allowDeselect={false}
          flex={1}
          miw={150}
        />
        <Button onClick={() => create.mutate()} loading={create.isPending}>
          {t("sharing.createLink")}
        </Button>
      </Group>
      {create.error && <Alert color="red">{explain(create.error)}</Alert>}
      {create.data && <NewLinkAddress address={`${location.origin}/open#${create.data}`} />}
    </Stack>
  );
}

function NewLinkAddress({ address }: { readonly address: string }) {
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

function linkLabel(link: ShareLink): string {
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
