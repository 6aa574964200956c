import { Button } from "@mantine/core";
import { useState } from "react";

interface Props {
  readonly word: string;
  /** What the second press does. */
  readonly sure: string;
  readonly loading: boolean;
  readonly onSure: () => void;
}

/** A button for what cannot be undone: the first press arms it, the second does it, looking away disarms it. */
export function ConfirmButton({ word, sure, loading, onSure }: Props) {
  const [armed, setArmed] = useState(false);
  return (
    <Button
      size="compact-sm"
      variant={armed ? "filled" : "default"}
      color={armed ? "red.9" : undefined}
      loading={loading}
      onClick={() => (armed ? onSure() : setArmed(true))}
      onBlur={() => setArmed(false)}
    >
      {armed ? sure : word}
    </Button>
  );
}
