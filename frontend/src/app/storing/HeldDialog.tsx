import { useStore } from "zustand";
import { incoming } from "../uploads";
import { StoreDialog } from "./StoreDialog";
import { stopAsking, storing } from "./storing";

/** Asks about every file that is uploaded and not begun. */
export function HeldDialog() {
  const asking = useStore(storing, (state) => state.asking);
  const list = useStore(incoming);
  const entries = list.flatMap(({ phase, jobId, name }) => (phase === "held" && jobId !== null ? [{ jobId, name }] : []));
  return asking && entries.length > 0 ? <StoreDialog entries={entries} onClose={stopAsking} /> : null;
}
