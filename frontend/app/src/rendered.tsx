/** A component's first picture as HTML, without a browser, for tests: what it shows for its properties, not what effects do later. */
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { queryClient } from "./state/queries";
import { theme } from "./ui/theme";

export function rendered(element: ReactNode): string {
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme}>{element}</MantineProvider>
    </QueryClientProvider>,
  );
  return html.replace(/<style[^>]*>.*?<\/style>|<script[^>]*>.*?<\/script>/gs, "");
}

/** What a hook gives at the first rendering; its effects do not run. */
export function captured<T>(hook: () => T): T {
  const found: T[] = [];
  const Component = (): null => {
    found.push(hook());
    return null;
  };
  rendered(<Component />);
  return found[0]!;
}
