import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconShare } from "@tabler/icons-react";
import { useState } from "react";
import type { ShareKind } from "@wavescope/core/wire/accounts/sharingClient";
import type { PartProps } from "../microscope/parts";
import { ShareDialog } from "./ShareDialog";
import { mayAs, useAccount } from "../accounts/account";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly kind: ShareKind;
  readonly id: string;
  readonly title: string;
  /** The slides of a case that its owner may not share. */
  readonly unshared?: readonly string[];
}

function useMayShare(): boolean {
  const account = useAccount();
  return account?.mode === "accounts" && mayAs(account, "instructor");
}

/** On the page of a case. */
export function ShareButton(props: Props) {
  const [open, setOpen] = useState(false);
  if (!useMayShare()) return null;
  return (
    <>
      <Button variant="default" size="compact-sm" leftSection={<IconShare size={14} />} onClick={() => setOpen(true)}>
        {t("sharing.share")}
      </Button>
      {open && <ShareDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** In the top bar of a slide. */
export function ShareSlideButton({ manifest }: PartProps) {
  const [open, setOpen] = useState(false);
  if (!useMayShare() || !manifest.editable) return null;
  return (
    <>
      <Tooltip label={t("sharing.shareSlide")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t("sharing.shareSlide")}
          onClick={() => setOpen(true)}
        >
          <IconShare size={18} />
        </ActionIcon>
      </Tooltip>
      {open && <ShareDialog kind="slide" id={manifest.id} title={manifest.title} onClose={() => setOpen(false)} />}
    </>
  );
}
