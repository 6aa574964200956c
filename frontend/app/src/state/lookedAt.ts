/** The file of this computer that is looked at. Its name is in no address: the page of the next load asks for the file again (LI8). */
import { createStore } from "zustand/vanilla";
import { navigate } from "./router";

/** Beside the pages of jobs, whose ids are longer. */
export const LOCAL = "local";

export const lookedAt = createStore<{ readonly file: File | null }>(() => ({ file: null }));

export function lookAt(file: File): void {
  lookedAt.setState({ file });
  navigate(`/incoming/${LOCAL}`);
}
