import { Button, Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useStore } from "zustand";
import { parseDestination } from "@wavescope/viewer/navigation/goTo";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { slideMagnification } from "@wavescope/viewer/navigation/scale";
import { readViewLink, showViewLink } from "@wavescope/viewer/view/view";
import { jump } from "../browserHistory";
import type { PartProps } from "../parts";
import { goToDialog, showGoTo } from "./goToDialog";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

/** Asks where to go: coordinates in pixels or micrometres, a magnification, or both. */
export function GoTo({ microscope }: PartProps) {
  const open = useStore(goToDialog, (state) => state.open);
  const close = (): void => showGoTo(false);
  return (
    <Dialog opened={open} onClose={close} title={t("microscope.goTo")} size="sm" centered>
      <Form microscope={microscope} close={close} />
    </Dialog>
  );
}

function Form({ microscope, close }: { readonly microscope: Microscope; readonly close: () => void }) {
  const [text, setText] = useState("");
  const [invalid, setInvalid] = useState(false);
  const { mpp, objectivePower } = microscope.manifest;
  const go = (event: React.SubmitEvent): void => {
    event.preventDefault();
    const destination = parseDestination(text, { mpp, own: slideMagnification(mpp?.x ?? null, objectivePower) });
    setInvalid(destination === null);
    if (!destination) return;
    close();
    const here = readViewLink(microscope);
    jump(microscope, () =>
      showViewLink(microscope, { ...here, ...destination.centre, scale: destination.scale ?? here.scale }),
    );
  };
  return (
    <form onSubmit={go}>
      <TextInput
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        placeholder="12000, 8000"
        label={t("microscope.goToHint")}
        error={invalid && t("microscope.notUnderstood")}
        data-autofocus
      />
      <Text size="xs" c="dimmed" mt={6}>
        {mpp ? t("microscope.goToExamples") : t("microscope.goToExample")}
      </Text>
      <Group justify="flex-end" mt="md">
        <Button type="submit">{t("microscope.go")}</Button>
      </Group>
    </form>
  );
}
