import { NativeSelect } from "@mantine/core";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly annotations: Annotations;
  readonly label: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
}

export function ClassSelect({ annotations, label, value, onChange }: Props) {
  const classes = useAnnotationState(annotations, (state) => state.classes);
  const names = [...new Set([...classes.keys(), ...(value ? [value] : [])])];
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value}
      data={[{ value: "", label: t("annotate.none") }, ...names.map((name) => ({ value: name, label: name }))]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
