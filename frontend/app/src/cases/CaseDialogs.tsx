import { Alert, Button, Group, SegmentedControl, Stack, TextInput, Textarea } from "@mantine/core";
import { useState } from "react";
import { type Case, type CaseKind, changeCase, createCase } from "@wavescope/core/wire/catalog/casesClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { useEditCase } from "./queries";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";

const KINDS = [
  { value: "case", label: t("cases.case") },
  { value: "collection", label: t("cases.collection") },
];

/** Characters, as the service allows them. */
const DESCRIPTION = 20_000;

type CaseValues = Pick<Case, "title" | "kind" | "description">;

interface CaseFormProps {
  readonly heading: string;
  readonly label: string;
  readonly known: CaseValues;
  readonly save: (values: CaseValues) => Promise<Case>;
  readonly onClose: () => void;
  readonly onSaved?: (now: Case) => void;
}

function CaseForm({ heading, label, known, save, onClose, onSaved }: CaseFormProps) {
  const [values, setValues] = useState(known);
  const set = (change: Partial<CaseValues>): void => setValues((now) => ({ ...now, ...change }));
  const title = values.title.trim();
  const edit = useEditCase(save);
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    const done = (now: Case): void => {
      onClose();
      onSaved?.(now);
    };
    if (title) edit.mutate({ ...values, title }, { onSuccess: done });
  };
  return (
    <Dialog opened onClose={onClose} title={heading} centered>
      <form onSubmit={submit}>
        <Stack>
          <SegmentedControl
            aria-label={t("cases.kind")}
            data={KINDS}
            value={values.kind}
            onChange={(value) => set({ kind: value as CaseKind })}
          />
          <TextInput
            label={t("common.title")}
            value={values.title}
            maxLength={200}
            onChange={(event) => set({ title: event.currentTarget.value })}
            data-autofocus
          />
          <Textarea
            label={t("cases.description")}
            description={t("cases.descriptionHint")}
            value={values.description}
            maxLength={DESCRIPTION}
            autosize
            minRows={3}
            maxRows={12}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          {edit.error && <Alert color="red">{explain(edit.error)}</Alert>}
        </Stack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" disabled={!title} loading={edit.isPending}>
            {label}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

interface NewCaseProps {
  readonly slides?: readonly string[];
  /** The collection that it lies in. */
  readonly parent?: string;
  readonly onClose: () => void;
  readonly onSaved?: (now: Case) => void;
}

export function NewCaseDialog({ slides = [], parent = "", onClose, onSaved }: NewCaseProps) {
  const save = (values: CaseValues): Promise<Case> => createCase({ ...values, slides: [...slides], parent });
  return (
    <CaseForm
      heading={t("cases.newCaseOrCollection")}
      label={t("cases.create")}
      known={{ title: "", kind: "case", description: "" }}
      save={save}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}

export function EditCaseDialog({ slideCase, onClose }: { readonly slideCase: Case; readonly onClose: () => void }) {
  const save = ({ title, kind, description }: CaseValues): Promise<Case> =>
    changeCase(slideCase.id, { title, kind, description });
  return (
    <CaseForm heading={t("cases.edit")} label={t("common.save")} known={slideCase} save={save} onClose={onClose} />
  );
}
