import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { explain } from "@wavescope/core/wire/http/explain";
import { type Receipt, takeReceipt } from "@wavescope/viewer/view/receipt/receipt";
import { pictureName } from "@wavescope/viewer/view/viewPicture";
import { version } from "../../../../../package.json";
import { useAccount } from "../../../accounts/account";
import type { PartProps } from "../../../microscope/parts";
import { notify } from "../../../ui/notice";
import { saveText } from "../../../ui/saveFile";
import { Facts } from "../../information/Section";
import { receiptFacts, verdictOf } from "./receiptFacts";
import styles from "./receipt.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** What is shown now, as a receipt: read first, then saved. */
export function ReceiptForm({ microscope, manifest, onClose }: PartProps & { readonly onClose: () => void }) {
  const account = useAccount()?.user?.name ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: ["receipt", manifest.digest],
    queryFn: () => takeReceipt(microscope, { wavescope: version, account }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const save = (receipt: Receipt): void => {
    const name = pictureName(microscope, "png").replace(/\.png$/, "-receipt.json");
    notify(t("receipt.saved", { name: saveText(name, `${JSON.stringify(receipt, null, 1)}\n`, "application/json") }));
    onClose();
  };
  if (error)
    return (
      <Alert color="red" title={t("receipt.notMade")}>
        <Text size="sm" mb="xs">
          {explain(error)}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          {t("common.tryAgain")}
        </Button>
      </Alert>
    );
  if (data === undefined)
    return (
      <Group role="status">
        <Loader size="sm" aria-hidden />
        <Text size="sm">{t("receipt.making")}</Text>
      </Group>
    );
  if (data === null) return <Text size="sm">{t("receipt.nothing")}</Text>;
  return (
    <Stack gap="sm" data-testid="receipt">
      <Text size="sm" c="dimmed">
        {t("receipt.hint")}
      </Text>
      <img className={styles.picture} src={data.picture} alt={t("receipt.picture")} />
      <Text size="sm" fw={600}>
        {verdictOf(data)}
      </Text>
      <Facts facts={receiptFacts(data, manifest.planes)} />
      <Text size="sm" c="dimmed">
        {t("receipt.notSigned")}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button leftSection={<IconDownload size={16} />} onClick={() => save(data)}>
          {t("receipt.save")}
        </Button>
      </Group>
    </Stack>
  );
}
