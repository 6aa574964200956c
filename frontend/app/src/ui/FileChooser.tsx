import { FileButton, type FileButtonProps } from "@mantine/core";
import { useRef } from "react";

interface Props extends Omit<FileButtonProps, "multiple" | "onChange" | "resetRef"> {
  readonly onChoose: (file: File) => void;
}

/** Lets one choose a file. The same one can be chosen again: it may have changed. */
export function FileChooser({ onChoose, ...props }: Props) {
  const reset = useRef<() => void>(null);
  const choose = (file: File | null): void => {
    if (file) onChoose(file);
    reset.current?.(); // else the same file would be no change
  };
  return <FileButton {...props} resetRef={reset} onChange={choose} />;
}
