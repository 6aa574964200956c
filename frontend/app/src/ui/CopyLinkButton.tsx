import { Button, CopyButton } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { t } from "@wavescope/core/i18n/i18n";

/** Copies a link, and says so for a moment. */
export function CopyLinkButton({ link }: { readonly link: string }) {
  return (
    <CopyButton value={link}>
      {({ copied, copy }) => (
        <Button size="compact-sm" variant="default" leftSection={<IconLink size={14} />} onClick={copy}>
          {copied ? t("common.linkCopied") : t("common.copyLink")}
        </Button>
      )}
    </CopyButton>
  );
}
