import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface Props {
  readonly label: string;
  readonly children: ReactNode;
}

/** What is over, shown on request. */
export function Earlier({ label, children }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
        style={{ alignSelf: "flex-start" }}
      >
        {label}
      </Button>
      {shown && children}
    </>
  );
}
