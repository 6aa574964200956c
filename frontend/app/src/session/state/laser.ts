/** Whether the own pointer is a laser pointer. */
import { createStore } from "zustand/vanilla";

export const laser = createStore<{ readonly on: boolean }>(() => ({ on: false }));

export function toggleLaser(): void {
  laser.setState(({ on }) => ({ on: !on }));
}
