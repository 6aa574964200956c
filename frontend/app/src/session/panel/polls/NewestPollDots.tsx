import { newestPoll } from "@wavescope/core/session/state";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { useClient, useParticipant } from "../../state/useSession";
import { PollDots } from "./PollDots";

/** What all see of the newest poll on this slide, and where this member has answered, whatever panel is open (SE69). */
export function NewestPollDots({ microscope }: { readonly microscope: Microscope }) {
  const participant = useParticipant();
  const answers = useClient((client) => client.own.answers);
  const poll = participant && newestPoll(participant.whole);
  if (!participant || poll?.slide !== microscope.manifest.id) return null;
  const own = answers.find((one) => one.poll === poll.id)?.answer.point ?? null;
  return <PollDots microscope={microscope} session={participant.whole} results={poll.results} own={own} />;
}
