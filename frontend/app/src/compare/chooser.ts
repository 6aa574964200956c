/** Which slide shall be chosen now, and what for; without React. */
import { createStore } from "zustand/vanilla";

export interface Choosing {
  readonly title: string;
  choose(id: string): void;
}

export const chooser = createStore<{ readonly choosing: Choosing | null }>(() => ({ choosing: null }));

export function chooseSlide(title: string, choose: (id: string) => void): void {
  chooser.setState({ choosing: { title, choose } });
}

export function stopChoosing(): void {
  chooser.setState({ choosing: null });
}
