import { Alert, Divider, Loader, Modal, Stack, Switch, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { explain } from "../../wire/http/explain";
import { type ShareKind, type Sharing, readSharing, writeSharing } from "../../wire/accounts/sharingClient";
import { AddressList } from "./AddressList";
import { LinkSection } from "./LinkSection";
import { PeopleSection } from "./PeopleSection";
import { t } from "../../i18n/i18n";

interface Props {
  readonly kind: ShareKind;
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** Who may see a slide or a case: people and groups, everybody, holders of links. */
export function ShareDialog({ kind, id, title, onClose }: Props) {
  const key = ["sharing", kind, id];
  const client = useQueryClient();
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => readSharing(kind, id, signal), staleTime: 0 });
  const save = useMutation({
    mutationFn: (sharing: Sharing) => writeSharing(kind, id, sharing),
    onSuccess: (now) => client.setQueryData(key, now),
  });
  const now = query.data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("sharing.shareNamed", { title })}
      size="lg"
      centered
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {query.isPending && <Loader aria-label={t("common.loading")} />}
      {query.error && <Alert color="red">{explain(query.error)}</Alert>}
      {now && (
        <Stack>
          <Text size="sm" c="dimmed">
            {now.owner ? t("sharing.ownedBy", { title: now.owner.title }) : t("sharing.ownedByAdmins")}
          </Text>
          {kind === "case" && (
            <Text size="sm" c="dimmed">
              {t("sharing.caseHint")}
            </Text>
          )}
          <PeopleSection sharing={now} saving={save.isPending} onChange={(shares) => save.mutate({ ...now, shares })} />
          <Switch
            label={t("sharing.public")}
            checked={now.public}
            disabled={save.isPending}
            onChange={(event) => save.mutate({ ...now, public: event.currentTarget.checked })}
          />
          {save.error && <Alert color="red">{explain(save.error)}</Alert>}
          <Divider label={t("sharing.links")} labelPosition="left" />
          <LinkSection kind={kind} id={id} />
          <Divider label={t("sharing.otherSoftware")} labelPosition="left" />
          <AddressList kind={kind} id={id} />
        </Stack>
      )}
    </Modal>
  );
}
