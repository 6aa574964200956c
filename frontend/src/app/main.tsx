import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./global.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { warmUp } from "../viewer/core/sources";
import { beginThumbnail } from "../viewer/core/thumbnail";
import { SignInRenewal } from "./accounts/SignInRenewal";
import { beginManifest, queryClient } from "./state/queries";
import { parseRoute } from "./state/router";
import { regainMove } from "./microscope/leaving";
import { closedHooks } from "./testHooks";
import { theme } from "./ui/theme";

window.__wavescope = closedHooks(null);

regainMove();

// A slide opened by its address: what it waits for is on its way before anything is rendered.
const route = parseRoute(location.pathname);
if (route.page === "slide") {
  beginManifest(route.id);
  beginThumbnail(route.id);
  warmUp();
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <App />
        <SignInRenewal />
        <Notifications position="bottom-left" />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
