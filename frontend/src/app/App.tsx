import { useLayoutEffect } from "react";
import { AccountPage } from "./accounts/AccountPage";
import { OpenPage } from "./sharing/OpenLinkPage";
import { UsersPage } from "./accounts/UsersPage";
import { SignInPage } from "./accounts/SignInPage";
import { AuditPage } from "./audit/AuditPage";
import { CasePage } from "./cases/CasePage";
import { ComparePage } from "./compare/ComparePage";
import { GalleryPage } from "./gallery/GalleryPage";
import { IncomingPage } from "./incoming/IncomingPage";
import { JoinEntryPage } from "./join/JoinEntryPage";
import { JoinPage } from "./join/JoinPage";
import { UnknownPage } from "./accounts/UnknownPage";
import { type Route, parseRoute, usePathname } from "./state/router";
import { RecordingPage } from "./replay/RecordingPage";
import { SlidePage } from "./slide/page/SlidePage";
import { SessionHost } from "./session/SessionHost";
import { TourPage } from "./tours/TourPage";
import { closedHooks } from "./testHooks";
import { TrashPage } from "./trash/TrashPage";

export function App() {
  const route = parseRoute(usePathname());
  useLayoutEffect(() => {
    if (route.page !== "slide" && route.page !== "incoming")
      window.__wavescope = closedHooks(route.page === "gallery" ? "gallery" : null);
  }, [route.page]);
  return (
    <>
      <Page route={route} />
      <SessionHost floating={route.page !== "slide" && route.page !== "compare"} />
    </>
  );
}

function Page({ route }: { readonly route: Route }) {
  if (route.page === "gallery") return <GalleryPage />;
  if (route.page === "slide") return <SlidePage key={route.id} id={route.id} />;
  if (route.page === "case") return <CasePage key={route.id} id={route.id} />;
  if (route.page === "incoming") return <IncomingPage key={route.id} id={route.id} />;
  if (route.page === "tour") return <TourPage key={route.id} id={route.id} />;
  if (route.page === "join") return route.id === null ? <JoinEntryPage /> : <JoinPage key={route.id} id={route.id} />;
  if (route.page === "recording") return <RecordingPage key={route.id} id={route.id} />;
  if (route.page === "compare") return <ComparePage />;
  if (route.page === "trash") return <TrashPage />;
  if (route.page === "sign-in") return <SignInPage />;
  if (route.page === "open") return <OpenPage />;
  if (route.page === "account") return <AccountPage />;
  if (route.page === "people") return <UsersPage />;
  if (route.page === "audit") return <AuditPage />;
  return <UnknownPage />;
}
