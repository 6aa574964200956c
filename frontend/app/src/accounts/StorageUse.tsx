import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Storage, readStorage } from "@wavescope/core/wire/accounts/storageClient";
import { t } from "@wavescope/core/i18n/i18n";
import { bytesLabel } from "../ui/format";

const WARNINGS = {
  low: { color: "yellow", title: "accounts.storageLow" },
  full: { color: "red", title: "accounts.storageFull" },
} as const;

/** How full the disk of the store is, for admins (OP23). */
export function StorageUse() {
  const { data } = useQuery({ queryKey: ["storage"], queryFn: ({ signal }) => readStorage(signal) });
  return data ? <StorageState storage={data} /> : null;
}

export function StorageState({ storage }: { readonly storage: Storage }) {
  const text = t("accounts.storageUse", {
    free: bytesLabel(storage.free_bytes),
    total: bytesLabel(storage.total_bytes),
    stored: bytesLabel(storage.stored_bytes + (storage.original_bytes ?? 0) + (storage.overlay_bytes ?? 0)),
  });
  if (storage.state === "ok") return <Text c="dimmed">{text}</Text>;
  const { color, title } = WARNINGS[storage.state];
  return (
    <Alert color={color} title={t(title)} data-testid="storage-warning">
      {text}
    </Alert>
  );
}
