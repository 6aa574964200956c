import { useEffect } from "react";
import type { PartProps } from "../parts";
import { followGamepads } from "./gamepads";

/** Gamepads as long as the slide is open; nothing to see. */
export function GamepadControl({ microscope }: PartProps) {
  useEffect(() => followGamepads(microscope), [microscope]);
  return null;
}
