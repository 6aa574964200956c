import { useLayoutEffect } from "react";
import { useStore } from "zustand";
import { type Route, parseRoute, usePathname, useQueryParameter } from "./state/router";
import { galleryPage, otherPage, slidePage } from "./firstPages";
import { closedHooks } from "./closedHooks";
import { firstPicture } from "./ui/later/deferred";
import { later } from "./ui/later/Later";
import { laterPage } from "./ui/later/laterPage";

export const SlidePage = laterPage(slidePage, true);
export const GalleryPage = laterPage(galleryPage, true);
const OtherPage = laterPage(otherPage, true);
const SessionHost = later(async () => (await import("./session/SessionHost")).SessionHost);

export function App() {
  const route = parseRoute(usePathname());
  useLayoutEffect(() => {
    if (route.page !== "slide" && route.page !== "gallery") firstPicture.setState({ shown: true });
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

function Page({ route }: { readonly route: Route }) {
  if (route.page === "slide") return <SlidePage key={route.id} id={route.id} />;
  return route.page === "gallery" ? <GalleryPage /> : <OtherPage route={route} />;
}

/** At once where the address names a session or a recording; elsewhere nothing of it is needed before the first picture. */
function LaterSessionHost({ floating }: { readonly floating: boolean }) {
  const session = useQueryParameter("session");
  const recording = useQueryParameter("recording");
  const { shown } = useStore(firstPicture);
  return shown || session !== null || recording !== null ? <SessionHost floating={floating} /> : null;
}
