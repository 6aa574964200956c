/** Which dialog about files on their way in is open; without React. */
import { createStore } from "zustand/vanilla";

export interface Storing {
  /** The entry (uploads.ts) whose image quality is being chosen. */
  readonly changing: string | null;
  /** Whether files that are stored already are asked about now. */
  readonly asking: boolean;
}

export const storing = createStore<Storing>(() => ({ changing: null, asking: false }));

export function chooseQualityOf(key: string): void {
  storing.setState({ changing: key });
}

export function askAboutStored(): void {
  storing.setState({ asking: true });
}

export function closeDialogs(): void {
  storing.setState({ changing: null, asking: false });
}
