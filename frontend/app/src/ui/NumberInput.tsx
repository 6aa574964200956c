import { NumberInput as Field, type NumberInputProps } from "@mantine/core";
import { useMergedRef } from "@mantine/hooks";
import type { Ref } from "react";
import { MARK } from "@wavescope/core/geometry/figures";
import { pastedNumber } from "./pastedNumber";

interface Props extends NumberInputProps {
  readonly ref?: Ref<HTMLInputElement>;
}

/** A field for a number with the decimal mark of the page. What is pasted may have the other one (LG10): the library would leave it out, and 12.5 be 125. */
export function NumberInput({ ref, ...props }: Props) {
  return <Field decimalSeparator={MARK} {...props} ref={useMergedRef(ref ?? null, readPasted)} />;
}

function readPasted(field: HTMLInputElement | null): void {
  field?.addEventListener("beforeinput", replacePasted);
}

function replacePasted(this: HTMLInputElement, event: InputEvent): void {
  const { data } = event;
  if (data === null || data.length < 2) return; // a key: the field knows both marks
  const written = pastedNumber(data);
  if (written === null || written === data) return;
  event.preventDefault();
  this.setRangeText(written, this.selectionStart ?? 0, this.selectionEnd ?? 0, "end");
  this.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
