import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { type StoredTour, readTour, saveTour } from "../../wire/catalog/toursClient";
import { TourSaver } from "./saver";
import { draftTour, cacheTour } from "../microscope/openTour";

/** An edited tour and how its saving stands; what was typed last is saved when the editor is left. */
export function useTourSaver(stored: StoredTour) {
  const [saver] = useState(() => new TourSaver(stored, { readTour, saveTour, cached: cacheTour, drafted: draftTour }));
  const edited = useStore(saver.edited);
  useEffect(() => () => void saver.save(), [saver]);
  return { ...edited, change: saver.change, loadStored: saver.loadStored };
}
