import { afterEach, describe, expect, it } from "vitest";
import { Replay } from "@wavescope/core/session/replay";
import { session } from "@wavescope/core/session/testing";
import type { Recording } from "@wavescope/core/wire/sessions/sessionsClient";
import { sessionCommands } from "./commands";
import { FakeLink } from "./fakeLink";
import { enterRecording, live } from "./state/live";
import { ReplayLink } from "./state/replaying";

afterEach(() => live.setState({ live: null }));

const offered = (): string[] =>
  sessionCommands.filter(({ available }) => available?.({ mayHost: false } as never) ?? true).map(({ id }) => id);

describe("the commands of a session", () => {
  it("are not offered outside of one", () => {
    expect(offered()).toEqual([]);
  });

  it("are all offered in a running one", () => {
    const link = new FakeLink();
    link.put("m1");
    live.setState({ live: link.live });
    expect(offered()).toEqual(sessionCommands.map(({ id }) => id));
  });

  it("are, for the viewer of a recording, the panel and whether to follow", () => {
    const replay = new Replay([{ kind: "state", time: 0, state: session() }]);
    enterRecording({ id: "r", title: "R" } as Recording, new ReplayLink(replay));
    expect(offered()).toEqual(["session.open", "session.follow"]);
  });
});
