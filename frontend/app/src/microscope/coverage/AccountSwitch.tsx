import { Switch } from "@mantine/core";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { agreement, hasAccount, setAgreed } from "./accountCoverage";
import styles from "./coverage.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** The user agrees that coverage is stored with the account, or no longer does. */
export function AccountSwitch({ microscope }: { readonly microscope: Microscope }) {
  const { agreed } = useStore(agreement);
  if (!hasAccount(microscope) || agreed === null) return null;
  return (
    <Switch
      className={styles.account}
      size="xs"
      labelPosition="left"
      label={t("coverage.withAccount")}
      description={t("coverage.withAccountHint")}
      checked={agreed}
      onChange={(event) => void setAgreed(microscope, event.currentTarget.checked)}
    />
  );
}
