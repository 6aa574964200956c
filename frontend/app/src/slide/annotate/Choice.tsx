import { ActionIcon, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";

interface ChoiceProps {
  readonly label: string;
  readonly caps?: string;
  /** Said on hover only. */
  readonly more?: string;
  /** Left out for what is done at once and does not stay. */
  readonly on?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button of a tool bar. */
export function Choice({ label, caps, more, on, disabled = false, onClick, children }: ChoiceProps) {
  return (
    <Tooltip label={[caps ? `${label} (${caps})` : label, ...(more ? [more] : [])].join(". ")} position="bottom">
      <ActionIcon
        variant={on ? "filled" : "subtle"}
        color={on ? undefined : "gray"}
        size="lg"
        aria-label={label}
        aria-pressed={on}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
