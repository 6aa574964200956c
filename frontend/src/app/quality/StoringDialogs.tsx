import { useStore } from "zustand";
import { changeQuality, incoming } from "../state/uploads";
import { QualityDialog } from "./QualityDialog";
import { StoredDialog } from "./StoredDialog";
import { closeDialogs, storing } from "./storing";

/** What is asked about files on their way in: the quality of one, or what becomes of those that are stored already. */
export function StoringDialogs() {
  const { changing, asking } = useStore(storing);
  const list = useStore(incoming);
  const one = list.find(({ key }) => key === changing);
  if (one && ["sending", "waiting", "ingesting", "held"].includes(one.phase)) {
    const { key, jobId, name, profile, phase } = one;
    const choose = (chosen: typeof profile): Promise<unknown> => changeQuality(key, chosen);
    return (
      <QualityDialog
        name={name}
        jobId={jobId}
        profile={profile}
        begun={phase !== "held"}
        onChoose={choose}
        onClose={closeDialogs}
      />
    );
  }
  const stored = list.filter(({ phase, storedAs }) => phase === "held" && storedAs.length > 0);
  return asking && stored.length > 0 ? <StoredDialog entries={stored} onClose={closeDialogs} /> : null;
}
