import { Button, Group, Text } from "@mantine/core";
import { useEffect } from "react";
import { useStore } from "zustand";
import { listRecordings } from "@wavescope/core/wire/sessions/sessionsClient";
import { notify, notifyFailure, notifyWithAction } from "../ui/notice";
import { queryClient } from "../state/queries";
import { navigate, useQueryParameter } from "../state/router";
import { delegatedAccess } from "../microscope/lostAccess";
import { useFollowed, useTour } from "../microscope/openTour";
import { panelState, showPanel } from "../microscope/panelState";
import { SessionBar } from "./SessionBar";
import { ShareDialog } from "./entry/ShareDialog";
import { leave } from "./state/actions";
import { StageNavigator } from "./follow/stageNavigator";
import { dialogs, showDialog } from "./state/dialogs";
import { OpenRecording } from "./replay/OpenRecording";
import {
  type Live,
  type Participant,
  updateAddress,
  clientNow,
  enter,
  isOver,
  live,
  operate,
  quit,
  participantOf,
} from "./state/live";
import {
  endingText,
  eventMessage,
  groupNews,
  handRaisedBy,
  pollNews,
  questionNews,
  refusalMessage,
} from "./state/labels";
import { type Member, mayHandOver } from "@wavescope/core/session/state";
import { chime } from "./state/chime";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";

/** The session of this window, on whatever page: connected, conducted, and its dialogs and news shown. `floating`: the page has no place for its bar. */
export function SessionHost({ floating }: { readonly floating: boolean }) {
  const requested = useQueryParameter("session");
  const recorded = useQueryParameter("recording");
  const here = useStore(live, (state) => state.live);
  const open = useStore(dialogs, (state) => state.open);
  useEffect(() => {
    const now = live.getState().live;
    if (now)
      updateAddress(now); // also at an older address of this window
    else if (requested !== null) enter(requested);
  }, [requested, recorded, here]);
  return (
    <>
      {!here && recorded !== null && <OpenRecording key={recorded} id={recorded} />}
      {here && <Conducted key={here.id} here={here} />}
      {here && floating && <SessionBar floating />}
      {here && open === "share" && <ShareDialog onClose={() => showDialog(null)} />}
      {here && open === "end" && <EndDialog />}
    </>
  );
}

function Conducted({ here }: { readonly here: Live }) {
  const { id, step } = useFollowed();
  const tour = useTour(id).data;
  useEffect(() => {
    const stageNavigator = new StageNavigator(here);
    const check = (): void => stageNavigator.moved();
    const stop = here.connection.listen({
      received: (event, by, before) => {
        const participant = participantOf(clientNow());
        if (!participant) return;
        const { whole, you } = participant;
        const message = eventMessage(event, whole, you) ?? (before && groupNews(before, whole, you));
        if (message) notify(message);
        const news = by === participant.you || panelState.getState().panel === "session" ? null : pollNews(event);
        if (news) notifyWithAction(news.message, { label: news.action, run: () => showPanel("session") });
        if (!before) return;
        announceHand(handRaisedBy(event, before), participant);
        const asked = panelState.getState().panel === "session" ? null : questionNews(event, before, participant.you);
        if (asked !== null)
          notifyWithAction(t("session.questionAsked", { text: asked }), {
            label: t("session.pollShow"),
            run: () => showPanel("session"),
          });
      },
      refused: (operation, error) => {
        const message = refusalMessage(operation, error);
        if (message) notifyFailure(t("session.notDone"), message);
      },
    });
    const stopEnding = here.connection.state.subscribe((client, before) => {
      if (client.ending !== null && before.ending === null) queueMicrotask(() => void cleanUp(here));
      if (client.phase === "live" && before.phase !== "live") updateAddress(here); // also after a removal that was undone
    });
    addEventListener(TOUR_KNOWN, check);
    const online = (): void => {
      if (here.connection.state.getState().phase === "waiting") here.connection.connect();
    };
    addEventListener("online", online);
    return () => {
      removeEventListener(TOUR_KNOWN, check);
      removeEventListener("online", online);
      stop();
      stopEnding();
      stageNavigator.close();
    };
  }, [here]);
  useEffect(() => {
    if (tour) dispatchEvent(new Event(TOUR_KNOWN)); // which waypoint the address means can be said only now
  }, [tour, step]);
  return null;
}

/** Who may give the word sees and hears who asks for it, and can hand over at once. */
function announceHand(member: Member | null, { whole: session, you }: Participant): void {
  if (!member || member.id === you || !mayHandOver(session, you)) return;
  chime();
  notifyWithAction(t("session.raisesHand", { name: member.name }), {
    label: t("session.handOver"),
    run: () => operate({ type: "present", member: member.id }),
  });
}

/** The address is cleaned; the host, who has ended it, is out at once. */
async function cleanUp(here: Live): Promise<void> {
  updateAddress(here);
  const client = here.connection.state.getState();
  delegatedAccess.setState({ ended: isOver(client) || client.ending === "shut-out" ? endingText(client) : "" }); // its slides were open to guests
  const participant = participantOf(client);
  for (const list of ["sessions", "recordings"]) void queryClient.invalidateQueries({ queryKey: [list] });
  if (client.ending !== "ended" || !participant || participant.session.owner !== participant.you) return;
  quit();
  const recording = (await listRecordings().catch(() => [])).find(({ session }) => session === here.id);
  const message = t("session.endedForAll");
  if (recording)
    notifyWithAction(message, {
      label: t("session.watch"),
      run: () => navigate(`/recordings/${encodeURIComponent(recording.id)}`),
    });
  else notify(message);
}

const TOUR_KNOWN = "wavescope:tour-known";

function EndDialog() {
  const close = (): void => showDialog(null);
  const end = (): void => {
    close();
    operate({ type: "end" });
  };
  const go = (): void => {
    close();
    leave();
  };
  return (
    <Dialog opened onClose={close} title={t("session.leaveSure")} centered>
      <Text size="sm">{t("session.hostLeaves")}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {t("session.stay")}
        </Button>
        <Button variant="default" onClick={go}>
          {t("session.leave")}
        </Button>
        <Button color="red" onClick={end}>
          {t("session.endForAll")}
        </Button>
      </Group>
    </Dialog>
  );
}
