import { Button } from "@mantine/core";
import { useState } from "react";

interface Props {
  readonly label: string;
  /** What the second press does. */
  readonly confirmLabel: string;
  readonly loading: boolean;
  readonly onConfirm: () => void;
}

/** A button for what cannot be undone: the first press arms it, the second does it, looking away disarms it. */
export function ConfirmButton({ label, confirmLabel, loading, onConfirm }: Props) {
  const [armed, setArmed] = useState(false);
  return (
    <Button
      size="compact-sm"
      variant={armed ? "filled" : "default"}
      color={armed ? "red.9" : undefined}
      loading={loading}
      onClick={() => (armed ? onConfirm() : setArmed(true))}
      onBlur={() => setArmed(false)}
    >
      {armed ? confirmLabel : label}
    </Button>
  );
}
