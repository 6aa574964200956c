import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { type KeptTour, readTour, saveTour } from "../../wire/catalog/toursClient";
import { TourSaver } from "./saver";
import { draftTour, holdTour } from "../microscope/openTour";

/** An edited tour and how its saving stands; what was typed last is saved when the editor is left. */
export function useTourSaver(kept: KeptTour) {
  const [saver] = useState(() => new TourSaver(kept, { readTour, saveTour, held: holdTour, drafted: draftTour }));
  const edited = useStore(saver.edited);
  useEffect(() => () => void saver.save(), [saver]);
  return { ...edited, change: saver.change, takeTheirs: saver.takeTheirs };
}
