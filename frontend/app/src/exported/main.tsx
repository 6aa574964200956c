/** The page of exported slides (static.md, SH9): no service, no accounts, no routes. */
import "../ui/later/laterStyles";
import "../translation";
import "./answers";
import "../global.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { warmUp } from "@wavescope/viewer/core/sources";
import { queryClient } from "../state/queries";
import { restoreView } from "../microscope/leaving";
import { closedHooks } from "../closedHooks";
import { firstPicture } from "../ui/later/deferred";
import { LaterNotifications } from "../ui/later/LaterNotifications";
import { cssVariables, theme } from "../ui/theme";
import { ExportedPage } from "./ExportedPage";

window.__wavescope = closedHooks(null);
firstPicture.setState({ shown: true });
restoreView();
warmUp();
// What opens a file is fetched at once: it is needed also where no server answers any more (SH7).
void Promise.allSettled([
  import("@wavescope/core/wire/files/annotations"),
  import("@wavescope/core/wire/files/overlays"),
  import("@wavescope/viewer/core/channels/openChannels"),
  import("@wavescope/viewer/core/focus/openFocus"),
]);

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>
        <ExportedPage />
        <LaterNotifications />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
