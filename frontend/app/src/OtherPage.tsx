import type { Route } from "./state/router";
import { laterPage as page } from "./ui/later/laterPage";

const AccountPage = page(async () => (await import("./accounts/AccountPage")).AccountPage);
const AuditPage = page(async () => (await import("./audit/AuditPage")).AuditPage);
const CasePage = page(async () => (await import("./cases/CasePage")).CasePage);
const ComparePage = page(async () => (await import("./compare/ComparePage")).ComparePage);
const EdgePage = page(async () => (await import("./edge/EdgePage")).EdgePage);
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

const PAGES = {
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
  case: CasePage,
  incoming: IncomingPage,
  tour: TourPage,
  quiz: QuizPage,
  recording: RecordingPage,
};

type Other = Exclude<Route, { readonly page: "slide" | "gallery" }>;

/** Every page but the gallery and that of a slide. */
export function OtherPage({ route }: { readonly route: Other }) {
  if (route.page === "join") return route.id === null ? <JoinEntryPage /> : <JoinPage key={route.id} id={route.id} />;
  if ("id" in route) {
    const Shown = PAGES_BY_ID[route.page];
    return <Shown key={route.id} id={route.id} />;
  }
  const Shown = PAGES[route.page];
  return <Shown />;
}
