/** Whether uploaded files are asked about now; without React. */
import { createStore } from "zustand/vanilla";

export const storing = createStore<{ readonly asking: boolean }>(() => ({ asking: false }));

export function askHowToStore(): void {
  storing.setState({ asking: true });
}

export function stopAsking(): void {
  storing.setState({ asking: false });
}
