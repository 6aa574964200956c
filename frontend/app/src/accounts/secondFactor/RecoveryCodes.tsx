import { Button, CopyButton, Group, List, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { saveText } from "../../ui/saveFile";
import styles from "./secondFactor.module.css";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** The recovery codes, shown this once. */
export function RecoveryCodes({ codes, onDone }: Props) {
  const text = codes.join("\n");
  return (
    <Stack data-testid="recovery-codes">
      <Text size="sm">{t("accounts.recoveryCodesHint")}</Text>
      <List listStyleType="none" aria-label={t("accounts.recoveryCodes")} className={styles.codes}>
        {codes.map((code) => (
          <List.Item key={code} ff="monospace">
            {code}
          </List.Item>
        ))}
      </List>
      <Group grow preventGrowOverflow={false} gap="xs">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? t("common.copied") : t("accounts.copyCodes")}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => saveText("wavescope-recovery-codes.txt", `${text}\n`)}
        >
          {t("accounts.downloadCodes")}
        </Button>
      </Group>
      <Button onClick={onDone}>{t("accounts.codesStored")}</Button>
    </Stack>
  );
}
