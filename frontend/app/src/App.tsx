import { Center, Loader } from "@mantine/core";
import { type ComponentType, useLayoutEffect } from "react";
import { useStore } from "zustand";
import { type Route, parseRoute, usePathname, useQueryParameter } from "./state/router";
import { SlidePage } from "./slide/page/SlidePage";
import { closedHooks } from "./testHooks";
import { firstPicture } from "./ui/later/deferred";
import { later } from "./ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";

export function App() {
  const route = parseRoute(usePathname());
  useLayoutEffect(() => {
    if (route.page !== "slide" && route.page !== "incoming")
      window.__wavescope = closedHooks(route.page === "gallery" ? "gallery" : null);
  }, [route.page]);
  return (
    <>
      <Page route={route} />
      <LaterSessionHost floating={route.page !== "slide" && route.page !== "compare"} />
    </>
  );
}

/** A page whose code comes when it is shown. */
function page<P extends object>(fetchPage: () => Promise<ComponentType<P>>) {
  return later(fetchPage, {
    placeholder: (
      <Center mih="100dvh">
        <Loader aria-label={t("ui.loadingPage")} />
      </Center>
    ),
  });
}

const AccountPage = page(async () => (await import("./accounts/AccountPage")).AccountPage);
const AuditPage = page(async () => (await import("./audit/AuditPage")).AuditPage);
const CasePage = page(async () => (await import("./cases/CasePage")).CasePage);
const ComparePage = page(async () => (await import("./compare/ComparePage")).ComparePage);
const EdgePage = page(async () => (await import("./edge/EdgePage")).EdgePage);
const GalleryPage = page(async () => (await import("./gallery/GalleryPage")).GalleryPage);
const IncomingPage = page(async () => (await import("./incoming/IncomingPage")).IncomingPage);
const JoinEntryPage = page(async () => (await import("./join/JoinEntryPage")).JoinEntryPage);
const JoinPage = page(async () => (await import("./join/JoinPage")).JoinPage);
const OpenPage = page(async () => (await import("./sharing/OpenLinkPage")).OpenPage);
const PlannerPage = page(async () => (await import("./planner/PlannerPage")).PlannerPage);
const QuizPage = page(async () => (await import("./quizzes/QuizPage")).QuizPage);
const RecordingPage = page(async () => (await import("./replay/RecordingPage")).RecordingPage);
const SignInPage = page(async () => (await import("./accounts/SignInPage")).SignInPage);
const TourPage = page(async () => (await import("./tours/TourPage")).TourPage);
const TrashPage = page(async () => (await import("./trash/TrashPage")).TrashPage);
const UnknownPage = page(async () => (await import("./accounts/UnknownPage")).UnknownPage);
const UsersPage = page(async () => (await import("./accounts/UsersPage")).UsersPage);
const ViewsPage = page(async () => (await import("./views/ViewsPage")).ViewsPage);
const SessionHost = later(async () => (await import("./session/SessionHost")).SessionHost);

const PAGES = {
  gallery: GalleryPage,
  compare: ComparePage,
  trash: TrashPage,
  "sign-in": SignInPage,
  open: OpenPage,
  account: AccountPage,
  people: UsersPage,
  audit: AuditPage,
  edge: EdgePage,
  planner: PlannerPage,
  views: ViewsPage,
  unknown: UnknownPage,
};
const PAGES_BY_ID = {
  slide: SlidePage,
  case: CasePage,
  incoming: IncomingPage,
  tour: TourPage,
  quiz: QuizPage,
  recording: RecordingPage,
};

function Page({ route }: { readonly route: Route }) {
  if (route.page === "join") return route.id === null ? <JoinEntryPage /> : <JoinPage key={route.id} id={route.id} />;
  if ("id" in route) {
    const Shown = PAGES_BY_ID[route.page];
    return <Shown key={route.id} id={route.id} />;
  }
  const Shown = PAGES[route.page];
  return <Shown />;
}

/** At once where the address names a session or a recording; elsewhere nothing of it is needed before the first picture. */
function LaterSessionHost({ floating }: { readonly floating: boolean }) {
  const session = useQueryParameter("session");
  const recording = useQueryParameter("recording");
  const { shown } = useStore(firstPicture);
  return shown || session !== null || recording !== null ? <SessionHost floating={floating} /> : null;
}
