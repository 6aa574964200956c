import { ActionIcon } from "@mantine/core";
import type { ReactNode } from "react";
import { KeyTooltip } from "../../ui/keys/KeyTooltip";

interface ChoiceProps {
  readonly label: string;
  /** Id of the command that does the same. */
  readonly command?: string;
  /** Said on hover only. */
  readonly more?: string;
  /** Left out for what is done at once and does not stay. */
  readonly on?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button of a tool bar. */
export function Choice({ label, command, more, on, disabled = false, onClick, children }: ChoiceProps) {
  return (
    <KeyTooltip label={label} commands={command ? [command] : []} more={more} position="bottom">
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
    </KeyTooltip>
  );
}
