import { Tooltip, type TooltipProps } from "@mantine/core";
import { useStore } from "zustand";
import { keyLabel } from "./keyCaps";
import { keyMap, listed } from "./keyMap";

export interface KeyTooltipProps extends TooltipProps {
  /** Ids of the commands that do the same: their keys are shown. */
  readonly commands?: readonly string[];
  /** Shown after the keys. */
  readonly more?: string;
}

/** A tooltip that shows the keys of what it describes. */
export function KeyTooltip({ label, commands = [], more, ...props }: KeyTooltipProps) {
  const keys = useKeyLabels(commands).filter((key) => key !== "");
  return (
    <Tooltip
      {...props}
      label={
        <>
          {label}
          {keys.length > 0 && ` (${keys.join(", ")})`}
          {more && `. ${more}`}
        </>
      }
    />
  );
}

/** The first key of each command as it is written; empty where it has none. */
export function useKeyLabels(ids: readonly string[]): readonly string[] {
  const map = useStore(keyMap);
  const { commands } = useStore(listed);
  return ids.map((id) => {
    const [key] = map[id] ?? commands.find((command) => command.id === id)?.keys ?? [];
    return key === undefined ? "" : keyLabel(key);
  });
}
