import { useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { ClientState } from "@wavescope/core/session/client";
import { follows } from "@wavescope/core/session/state";
import { onNavigation } from "../../state/router";
import { type Participant, clientNow, isOver, live, noClient, participantOf } from "./live";

/** A part of what this window knows of its session; updates when that part changes. `null` while it is in none. */
export function useClient<T>(choose: (client: ClientState) => T): T {
  const pick = useShallow(choose);
  return useSyncExternalStore(
    (changed) => {
      let stop = live.getState().live?.connection.state.subscribe(changed);
      const stopLive = live.subscribe(({ live: next }) => {
        stop?.();
        stop = next?.connection.state.subscribe(changed);
        changed();
      });
      return () => {
        stop?.();
        stopLive();
      };
    },
    () => pick(clientNow()),
  );
}

/** What changes slowly in the session and in one's participation: all but views and cursors. */
export function useParticipant(): Participant | null {
  useClient((client) => client.session?.sequence ?? -1);
  useClient((client) => participantOf(client)?.following ?? false);
  useClient(({ you: me }) => me);
  return participantOf(clientNow());
}

/** How the connection stands. */
export function usePhase(): Pick<ClientState, "phase" | "ending" | "said"> {
  return useClient(({ phase, ending, said }) => ({ phase, ending, said }));
}

/** Whether this window is in a session, or was, until the service says otherwise; false after the session has ended. */
export function useInSession(): boolean {
  const over = useClient(isOver);
  return useStore(live, (state) => state.live !== null) && !over;
}

/** Whether another member moves the picture of this window now. */
export function isMovedByOther(): boolean {
  const participant = participantOf(clientNow());
  return (
    clientNow() !== noClient &&
    participant !== null &&
    follows(participant.session, participant.you, participant.following)
  );
}

/** Changes with the page that is shown. */
export function usePageKey(): string {
  return useSyncExternalStore(onNavigation, () => location.pathname + location.search);
}
