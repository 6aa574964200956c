import { Alert, Divider, List, Loader, Stack, Switch, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { explain } from "@wavescope/core/wire/http/explain";
import { type ShareKind, type Sharing, readSharing, writeSharing } from "@wavescope/core/wire/accounts/sharingClient";
import { AddressList } from "./AddressList";
import { LinkSection } from "./LinkSection";
import { OwnerSection } from "./OwnerSection";
import { PeopleSection } from "./PeopleSection";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";

interface Props {
  readonly kind: ShareKind;
  readonly id: string;
  readonly title: string;
  readonly unshared?: readonly string[];
  readonly onClose: () => void;
}

/** Who may see a slide or a case: people and groups, everybody, holders of links. */
export function ShareDialog({ kind, id, title, unshared = [], onClose }: Props) {
  const key = ["sharing", kind, id];
  const client = useQueryClient();
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => readSharing(kind, id, signal), staleTime: 0 });
  const save = useMutation({
    mutationFn: ({ sharing, owner }: { sharing: Sharing; owner?: string }) => writeSharing(kind, id, sharing, owner),
    onSuccess: (now, { owner }) => {
      client.setQueryData(key, now);
      return owner === undefined
        ? undefined
        : client.invalidateQueries({ queryKey: [kind === "case" ? "case" : "manifest"] });
    },
  });
  const now = query.data;
  return (
    <Dialog opened onClose={onClose} title={t("sharing.shareNamed", { title })} size="lg" centered>
      {query.isPending && <Loader aria-label={t("common.loading")} />}
      {query.error && <Alert color="red">{explain(query.error)}</Alert>}
      {now && (
        <Stack>
          <OwnerSection
            sharing={now}
            saving={save.isPending}
            onChange={(owner) => save.mutate({ sharing: now, owner })}
          />
          {kind === "case" && (
            <Text size="sm" c="dimmed">
              {t("sharing.caseHint")}
            </Text>
          )}
          {unshared.length > 0 && (
            <Alert color="yellow" title={t("sharing.unshared", { count: unshared.length })} data-testid="unshared">
              <List size="sm">
                {unshared.map((name, index) => (
                  <List.Item key={index}>{name}</List.Item>
                ))}
              </List>
            </Alert>
          )}
          <PeopleSection
            sharing={now}
            saving={save.isPending}
            onChange={(shares) => save.mutate({ sharing: { ...now, shares } })}
          />
          <Switch
            label={t("sharing.public")}
            checked={now.public}
            disabled={save.isPending}
            onChange={(event) => save.mutate({ sharing: { ...now, public: event.currentTarget.checked } })}
          />
          {save.error && <Alert color="red">{explain(save.error)}</Alert>}
          <Divider label={t("sharing.links")} labelPosition="left" />
          <LinkSection kind={kind} id={id} />
          <Divider label={t("sharing.otherSoftware")} labelPosition="left" />
          <AddressList kind={kind} id={id} />
        </Stack>
      )}
    </Dialog>
  );
}
