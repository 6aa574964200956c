import { Group, Select, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { AuditFilter } from "@wavescope/core/wire/accounts/auditClient";
import { useTyped } from "../ui/useTyped";
import { actionName } from "./actionNames";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly filter: AuditFilter;
  readonly actions: readonly string[];
  readonly onFilter: (filter: AuditFilter, typing: boolean) => void;
  readonly children: ReactNode;
}

export function AuditFilters({ filter, actions, onFilter, children }: Props) {
  return (
    <Group align="end" gap="sm" mb="md">
      <TypedField
        label={t("audit.user")}
        value={filter.name}
        maxLength={200}
        onChange={(name) => onFilter({ ...filter, name }, true)}
      />
      <Select
        label={t("audit.action")}
        size="sm"
        flex="1 1 120px"
        maw={240}
        clearable
        searchable
        data={actions.map((value) => ({ value, label: actionName(value) }))}
        value={filter.action || null}
        onChange={(action) => onFilter({ ...filter, action: action ?? "" }, false)}
      />
      <TypedField
        label={t("audit.slideOrFile")}
        value={filter.slide}
        maxLength={128}
        onChange={(slide) => onFilter({ ...filter, slide }, true)}
      />
      <TextInput
        label={t("audit.since")}
        type="date"
        size="sm"
        flex="1 1 120px"
        maw={240}
        value={filter.since}
        onChange={(event) => onFilter({ ...filter, since: event.currentTarget.value }, false)}
      />
      {children}
    </Group>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly onChange: (value: string) => void;
}

function TypedField({ label, value, maxLength, onChange }: FieldProps) {
  const [typed, setTyped] = useTyped(value, onChange);
  return (
    <TextInput
      label={label}
      size="sm"
      flex="1 1 120px"
      maw={240}
      maxLength={maxLength}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
