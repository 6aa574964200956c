import { useMutation } from "@tanstack/react-query";
import {
  type SecondFactor,
  beginSecondFactor,
  confirmSecondFactor,
  makeRecoveryCodes,
  turnOffSecondFactor,
} from "@wavescope/core/wire/accounts/secondFactorClient";
import { ProofForm } from "./ProofForm";
import { RecoveryCodes } from "./RecoveryCodes";
import { SetupForm } from "./SetupForm";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly factor: SecondFactor;
  readonly onDone: () => void;
}

/** Password, then the secret and its first code, then the recovery codes. */
export function SetupDialog({ factor, onDone }: Props) {
  const begin = useMutation({ mutationFn: beginSecondFactor });
  const confirm = useMutation({ mutationFn: confirmSecondFactor });
  if (confirm.data) return <RecoveryCodes codes={confirm.data} onDone={onDone} />;
  if (begin.data)
    return (
      <SetupForm setup={begin.data} error={confirm.error} loading={confirm.isPending} onConfirm={confirm.mutate} />
    );
  return (
    <ProofForm
      withCode={factor.active}
      label={t("accounts.continue")}
      error={begin.error}
      loading={begin.isPending}
      onProof={begin.mutate}
    />
  );
}

export function RecoveryDialog({ onDone }: Props) {
  const make = useMutation({ mutationFn: makeRecoveryCodes });
  if (make.data) return <RecoveryCodes codes={make.data} onDone={onDone} />;
  return (
    <ProofForm
      withCode
      label={t("accounts.continue")}
      error={make.error}
      loading={make.isPending}
      onProof={make.mutate}
    />
  );
}

export function TurnOffDialog({ onDone }: Props) {
  const off = useMutation({ mutationFn: turnOffSecondFactor, onSuccess: onDone });
  return (
    <ProofForm withCode label={t("accounts.turnOff")} error={off.error} loading={off.isPending} onProof={off.mutate} />
  );
}
