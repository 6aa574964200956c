import { useStore } from "zustand";
import { changeQuality, incoming } from "../state/uploads";
import { later } from "../ui/later/Later";
import { closeDialogs, storing } from "./storing";

const QualityDialog = later(async () => (await import("./QualityDialog")).QualityDialog);
const StoredDialog = later(async () => (await import("./StoredDialog")).StoredDialog);

/** What is asked about files on their way in: the quality of one, or what becomes of those that are stored already. */
export function StoringDialogs() {
  const { changing, storedShown } = useStore(storing);
  const list = useStore(incoming);
  const job = list.find(({ key }) => key === changing);
  if (job && ["sending", "waiting", "ingesting", "held"].includes(job.phase)) {
    const { key, jobId, name, phase, time } = job;
    return (
      <QualityDialog
        name={name}
        jobId={jobId}
        qualities={job}
        time={time}
        started={phase !== "held"}
        onChoose={(choice) => changeQuality(key, choice)}
        onClose={closeDialogs}
      />
    );
  }
  const stored = list.filter(
    ({ phase, reason, storedAs }) => phase === "held" && reason === null && storedAs.length > 0,
  );
  return storedShown && stored.length > 0 ? <StoredDialog entries={stored} onClose={closeDialogs} /> : null;
}
