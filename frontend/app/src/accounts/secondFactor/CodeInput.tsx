import { TextInput } from "@mantine/core";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** Whether only the app can give the code; else a recovery code is accepted too. */
  readonly appOnly?: boolean;
  readonly autoFocus?: boolean;
}

/** The code of a second factor. */
export function CodeInput({ value, onChange, appOnly = false, autoFocus = false }: Props) {
  return (
    <TextInput
      label={t("accounts.code")}
      description={appOnly ? t("accounts.codeFromAppHint") : t("accounts.codeHint")}
      autoComplete="one-time-code"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      inputMode={appOnly ? "numeric" : "text"}
      maxLength={100}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus={autoFocus || undefined}
      autoFocus={autoFocus}
    />
  );
}
