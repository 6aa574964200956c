import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SecondFactor } from "@wavescope/core/wire/accounts/secondFactorClient";
import { RecoveryDialog, SetupDialog, TurnOffDialog } from "./dialogs";
import { KEY, useSecondFactor } from "./useSecondFactor";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

type Dialog = "set-up" | "codes" | "off";
const TITLES = {
  "set-up": t("accounts.setUpSecondFactor"),
  codes: t("accounts.newRecoveryCodes"),
  off: t("accounts.turnOffSecondFactor"),
} as const;
const DIALOGS = { "set-up": SetupDialog, codes: RecoveryDialog, off: TurnOffDialog } as const;

/** The second factor of the own account, on the account page. */
export function SecondFactorSection() {
  const factor = useSecondFactor();
  const [open, setOpen] = useState<Dialog | null>(null);
  const client = useQueryClient();
  const close = (): void => {
    setOpen(null);
    void client.invalidateQueries({ queryKey: KEY });
  };
  const Content = open && DIALOGS[open];
  return (
    <Paper withBorder p="md" data-testid="second-factor">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {t("accounts.secondFactor")}
          </Title>
          {factor && (
            <Text size="sm" fw={600}>
              {factor.active ? t("accounts.secondFactorOn") : t("accounts.secondFactorOff")}
            </Text>
          )}
        </Group>
        <Text size="sm">{t("accounts.secondFactorHint")}</Text>
        {factor && <State factor={factor} onDialog={setOpen} />}
      </Stack>
      <Dialog opened={open !== null} onClose={close} title={open && TITLES[open]} closeOnClickOutside={false}>
        {factor && Content && <Content factor={factor} onDone={close} />}
      </Dialog>
    </Paper>
  );
}

interface StateProps {
  readonly factor: SecondFactor;
  readonly onDialog: (dialog: Dialog) => void;
}

function State({ factor, onDialog }: StateProps) {
  if (!factor.active)
    return (
      <Button style={{ alignSelf: "flex-start" }} onClick={() => onDialog("set-up")}>
        {TITLES["set-up"]}
      </Button>
    );
  return (
    <>
      <Text size="sm">{t("accounts.recoveryCodesLeft", { count: factor.recoveryCodes })}</Text>
      {factor.required && <Text size="sm">{t("accounts.secondFactorRequiredHere")}</Text>}
      <Group gap="xs">
        <Button variant="default" onClick={() => onDialog("codes")}>
          {TITLES.codes}
        </Button>
        <Button variant="default" onClick={() => onDialog("set-up")}>
          {t("accounts.changeApp")}
        </Button>
        {!factor.required && (
          <Button variant="default" onClick={() => onDialog("off")}>
            {t("accounts.turnOff")}
          </Button>
        )}
      </Group>
    </>
  );
}
