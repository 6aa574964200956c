import { describe, expect, it, vi } from "vitest";
import { Replay } from "@wavescope/core/session/replay";
import { session } from "@wavescope/core/session/testing";
import type { Recording } from "@wavescope/core/wire/sessions/sessionsClient";
import type { PartProps } from "../../microscope/parts";
import { rendered } from "../../rendered";
import type { Participant } from "../state/live";
import { ReplayLink, SPEEDS } from "../state/replaying";
import { ReplayPanel } from "./ReplayPanel";

const about = { id: "r", title: "Round of May" } as Recording;
vi.mock("./polls/PollPart", () => ({ PollPart: () => null })); // needs a picture

const part = { microscope: {}, manifest: { id: "he" } } as unknown as PartProps;
const settings = { everyone_steers: true, guests_annotate: false, locked: false };

function panel(change: Partial<Participant> = {}): string {
  const state = session({ settings });
  const link = new ReplayLink(new Replay([{ kind: "state", time: 0, state }]));
  const participant: Participant = { session: state, whole: state, you: "", following: true, ...change };
  return rendered(<ReplayPanel about={about} link={link} participant={participant} part={part} />);
}

/** Where each text first stands. */
const order = (html: string, ...texts: string[]): number[] => texts.map((text) => html.indexOf(text));

describe("the panel of a recording", () => {
  it("leads with playing and its speed, then people, slides and notes", () => {
    const html = panel();
    const places = order(
      html,
      "Round of May",
      ">Play<",
      'aria-label="Speed"',
      'aria-label="People"',
      ">Slides<",
      ">Notes<",
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    for (const speed of SPEEDS) expect(html).toContain(`${speed}×`);
  });

  it("offers nothing of a running session, also where everyone could navigate", () => {
    const html = panel();
    for (const text of ["Invite", "Pause", "Record", "Add note", "<textarea", 'type="checkbox"'])
      expect(html).not.toContain(text);
  });

  it("offers the way back to the presenter only while the viewer browses freely", () => {
    expect(panel()).not.toContain("Rejoin");
    expect(panel({ following: false })).toContain("Rejoin");
  });
});
