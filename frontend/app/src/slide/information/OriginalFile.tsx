import { Button, Group, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { explain } from "@wavescope/core/wire/http/explain";
import { deleteOriginal, originalFile } from "@wavescope/core/wire/catalog/originalClient";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { ConfirmButton } from "../../ui/ConfirmButton";
import { bytesLabel } from "../../ui/format";
import { Facts } from "../../ui/Facts";
import { t } from "@wavescope/core/i18n/i18n";

/** The file that the slide was imported from, for those who may have it: download, or delete to free its space. */
export function OriginalFile({ manifest }: { readonly manifest: Manifest }) {
  const { id, original } = manifest;
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteOriginal(id),
    onSuccess: () => client.setQueryData(["manifest", id], { ...manifest, original: null }),
  });
  if (!original) return null;
  const { name, bytes } = original;
  return (
    <div role="group" aria-label={t("information.originalFile")} data-testid="original-file">
      <Facts facts={[{ name: t("information.originalFile"), value: `${name}, ${bytesLabel(bytes)}` }]} />
      <Text size="xs" c="dimmed" my={4}>
        {t("information.originalHint")}
      </Text>
      <Group gap="xs">
        <Button
          component="a"
          href={originalFile(id)}
          download={name}
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} />}
        >
          {t("information.downloadOriginal")}
        </Button>
        <ConfirmButton
          label={t("information.deleteOriginal")}
          confirmLabel={t("information.deleteOriginalConfirm")}
          loading={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
      </Group>
      {remove.error && (
        <Text size="sm" className="failure">
          {explain(remove.error)}
        </Text>
      )}
    </div>
  );
}
