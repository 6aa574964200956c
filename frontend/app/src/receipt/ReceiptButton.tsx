import { Button } from "@mantine/core";
import { IconReceipt } from "@tabler/icons-react";
import { t } from "@wavescope/core/i18n/i18n";

export function ReceiptButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="default" mt={6} leftSection={<IconReceipt size={14} />} onClick={onClick}>
      {t("receipt.make")}
    </Button>
  );
}
