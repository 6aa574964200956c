import { Alert, Box, Button, Group, MultiSelect, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { type User, createGroup, deleteGroup, listGroups, setMembers } from "@wavescope/core/wire/accounts/usersClient";
import { ConfirmButton } from "../../ui/ConfirmButton";
import { t } from "@wavescope/core/i18n/i18n";

/** Every group with its members; and new ones. */
export function GroupTable({ users }: { readonly users: readonly User[] }) {
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ["groups"] });
  const groups = useQuery({ queryKey: ["groups"], queryFn: ({ signal }) => listGroups(signal) });
  const members = useMutation({
    mutationFn: ({ id, ids }: { id: string; ids: string[] }) => setMembers(id, ids),
    onSettled: refresh,
  });
  const remove = useMutation({ mutationFn: deleteGroup, onSuccess: refresh });
  const error = groups.error ?? members.error ?? remove.error;
  const people = users.map((user) => ({ value: user.id, label: user.title }));
  return (
    <Stack>
      <Title order={2} size="h4">
        {t("accounts.groups")}
      </Title>
      {error && <Alert color="red">{explain(error)}</Alert>}
      {groups.data?.length === 0 && <Text c="dimmed">{t("accounts.groupsHint")}</Text>}
      {groups.data?.map((group) => (
        <Group key={group.id} align="flex-end" data-testid="group">
          <MultiSelect
            label={group.name}
            placeholder={t("accounts.addMember")}
            searchable
            flex={1}
            miw={220}
            data={people}
            value={[...group.members]}
            onChange={(ids) => members.mutate({ id: group.id, ids })}
          />
          <Box mb={5}>
            <ConfirmButton
              label={t("common.delete")}
              confirmLabel={t("common.deleteNamed", { name: group.name })}
              loading={remove.isPending}
              onConfirm={() => remove.mutate(group.id)}
            />
          </Box>
        </Group>
      ))}
      <NewGroup onCreated={refresh} />
    </Stack>
  );
}

function NewGroup({ onCreated }: { readonly onCreated: () => Promise<void> }) {
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => createGroup(name.trim()),
    onSuccess: () => {
      setName("");
      return onCreated();
    },
  });
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          label={t("accounts.newGroup")}
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!name.trim()} loading={create.isPending}>
          {t("common.add")}
        </Button>
      </Group>
      {create.error && (
        <Alert color="red" mt="sm">
          {explain(create.error)}
        </Alert>
      )}
    </form>
  );
}
