import { Alert, Button, Group, Modal, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { type Case, type CaseKind, changeCase, createCase } from "@wavescope/core/wire/catalog/casesClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { useEditCase } from "./queries";
import { t } from "@wavescope/core/i18n/i18n";

const CLOSE = { "aria-label": t("common.close") };
const KINDS = [
  { value: "case", label: t("cases.case") },
  { value: "collection", label: t("cases.collection") },
];

interface CaseFormProps {
  readonly heading: string;
  readonly label: string;
  readonly title: string;
  readonly kind: CaseKind;
  readonly save: (values: { title: string; kind: CaseKind }) => Promise<Case>;
  readonly onClose: () => void;
  readonly onSaved?: (now: Case) => void;
}

function CaseForm({ heading, label, title, kind, save, onClose, onSaved }: CaseFormProps) {
  const [name, setName] = useState(title);
  const [sort, setSort] = useState<CaseKind>(kind);
  const edit = useEditCase(save);
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    const done = (now: Case): void => {
      onClose();
      onSaved?.(now);
    };
    if (name.trim()) edit.mutate({ title: name.trim(), kind: sort }, { onSuccess: done });
  };
  return (
    <Modal opened onClose={onClose} title={heading} centered closeButtonProps={CLOSE}>
      <form onSubmit={submit}>
        <Stack>
          <SegmentedControl
            aria-label={t("cases.kind")}
            data={KINDS}
            value={sort}
            onChange={(value) => setSort(value as CaseKind)}
          />
          <TextInput
            label={t("common.title")}
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          {edit.error && <Alert color="red">{explain(edit.error)}</Alert>}
        </Stack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" disabled={!name.trim()} loading={edit.isPending}>
            {label}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

interface NewCaseProps {
  readonly slides?: readonly string[];
  readonly onClose: () => void;
  readonly onSaved?: (now: Case) => void;
}

export function NewCaseDialog({ slides = [], onClose, onSaved }: NewCaseProps) {
  const save = ({ title, kind }: { title: string; kind: CaseKind }): Promise<Case> => createCase(title, kind, slides);
  return (
    <CaseForm
      heading={t("cases.newCaseOrCollection")}
      label={t("cases.create")}
      title=""
      kind="case"
      save={save}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}

export function RenameCaseDialog({ slideCase, onClose }: { readonly slideCase: Case; readonly onClose: () => void }) {
  const save = (change: { title: string; kind: CaseKind }): Promise<Case> => changeCase(slideCase.id, change);
  return (
    <CaseForm
      heading={t("common.rename")}
      label={t("common.save")}
      title={slideCase.title}
      kind={slideCase.kind}
      save={save}
      onClose={onClose}
    />
  );
}
