import { ActionIcon, Text, Tooltip } from "@mantine/core";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { explain } from "@wavescope/core/wire/http/explain";
import { allows } from "@wavescope/core/wire/slides/manifest";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { useAnnotationState } from "../../../microscope/useAnnotations";

/** Says that nobody changes the annotation now. */
export function LockedNote({ annotations, id }: { readonly annotations: Annotations; readonly id: string }) {
  useAnnotationState(annotations, (state) => state.responses);
  const name = annotations.store.lockedBy(id);
  if (name === "") return null;
  return (
    <Text size="xs" c="dimmed" data-testid="annotation-locked">
      {t("together.lockedBy", { name })}
    </Text>
  );
}

interface Props {
  readonly annotations: Annotations;
  readonly ids: readonly string[];
}

/** Locks what is selected, or unlocks it (AN45). */
export function LockButton({ annotations, ids }: Props) {
  const { store, layer } = annotations;
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const [busy, setBusy] = useState(false);
  useAnnotationState(annotations, (state) => state.responses);
  const stored = ids.filter((id) => store.signed(id) !== null && !store.isLocal(id));
  if (!editable || stored.length === 0) return null;
  const lockers = [...new Set(stored.map((id) => store.lockedBy(id)).filter(Boolean))];
  const locked = stored.every((id) => store.lockedBy(id) !== "");
  const mayUnlock = (id: string): boolean =>
    [store.lockedBy(id), store.signed(id)?.author].includes(store.author) ||
    allows(layer.microscope.manifest, "share slide");
  const refused = locked && !stored.every(mayUnlock);
  const label = refused
    ? t("together.lockedBy", { name: lockers.join(", ") })
    : t(locked ? "together.unlock" : "together.lock");
  const change = (): void => {
    setBusy(true);
    store
      .lock(stored, !locked)
      .catch((error: unknown) => store.set({ notice: explain(error) }))
      .finally(() => setBusy(false));
  };
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={locked ? "light" : "subtle"}
        color="gray"
        aria-label={label}
        aria-pressed={locked}
        loading={busy}
        aria-disabled={refused}
        onClick={() => !refused && change()}
        data-testid="annotation-lock"
      >
        {locked ? <IconLock size={16} /> : <IconLockOpen size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
