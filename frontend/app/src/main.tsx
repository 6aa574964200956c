import "./ui/later/firstStyles";
import "./translation";
import "./global.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, GalleryPage, SlidePage } from "./App";
import { firstRequests } from "./firstRequests";
import { prepareOnNavigation } from "./microscope/preparing";
import { warmUp } from "@wavescope/viewer/core/sources";
import { registerServiceWorker } from "./offline/registration";
import { SignInRenewal } from "./accounts/SignInRenewal";
import { beginManifest, queryClient } from "./state/queries";
import { parseRoute } from "./state/router";
import { closedHooks } from "./closedHooks";
import { firstPicture } from "./ui/later/deferred";
import { LaterNotifications } from "./ui/later/LaterNotifications";
import { cssVariables, theme } from "./ui/theme";

/** Milliseconds that the gallery has for its pictures before other requests are made. */
const GALLERY_FIRST = 500;
/** Milliseconds that the later parts have before the service worker fetches all files of the page. */
const AFTER_PICTURE = 2000;
/** Milliseconds for which a page may be replaced by that of a new build. */
const REPLACED_WITHIN = 5000;
/** Milliseconds for which a page may be blank while its code and the manifest of its slide are on their way. */
const LONGEST_BLANK = 400;

window.__wavescope = closedHooks(null);

// The service worker says only this: the page is that of an older build (PG13). Once it is in use, the new one comes with the next visit.
if (navigator.serviceWorker)
  navigator.serviceWorker.onmessage = () => performance.now() < REPLACED_WITHIN && location.reload();

// Its files come after the first picture: they would hold it up.
if (import.meta.env.PROD)
  firstPicture.subscribe(({ shown }) => shown && setTimeout(registerServiceWorker, AFTER_PICTURE));

prepareOnNavigation();

const route = parseRoute(location.pathname);
void Promise.race([known(), rest(LONGEST_BLANK)]).then(render, render);

// A slide is likely to be opened next: its page and decoder come once the gallery is there.
if (route.page === "gallery")
  firstPicture.subscribe(({ shown }) => {
    if (shown) void rest(GALLERY_FIRST).then(() => (warmUp(), SlidePage.load()).catch(() => undefined));
  });

/** Resolves once the page can be shown as it will be. Rendering would keep the first blocks of a slide from being requested as soon as its manifest is here. */
async function known(): Promise<void> {
  if (route.page === "gallery") await GalleryPage.load();
  if (route.page === "slide") await Promise.all([SlidePage.load(), beginManifest(route.id), firstRequests]);
}

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function render(): void {
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        cssVariablesResolver={cssVariables}
        deduplicateCssVariables={false} // all of them are written here: the sheet with Mantine's own is not in the first load
      >
        <QueryClientProvider client={queryClient}>
          <App />
          <SignInRenewal />
          <LaterNotifications />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
