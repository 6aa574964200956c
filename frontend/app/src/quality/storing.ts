/** Which dialog about files on their way in is open; without React. */
import { createStore } from "zustand/vanilla";

export interface Storing {
  /** The entry (uploads.ts) whose image quality is being chosen. */
  readonly changing: string | null;
  /** Whether files that are stored already are asked about now. */
  readonly storedShown: boolean;
}

export const storing = createStore<Storing>(() => ({ changing: null, storedShown: false }));

export function chooseQualityOf(key: string): void {
  storing.setState({ changing: key });
}

export function showStoredFiles(): void {
  storing.setState({ storedShown: true });
}

export function closeDialogs(): void {
  storing.setState({ changing: null, storedShown: false });
}
