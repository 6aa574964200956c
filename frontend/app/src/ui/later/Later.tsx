import { Alert, Button } from "@mantine/core";
import { Component, type ComponentType, type ReactNode, Suspense, lazy, useState } from "react";
import { useStore } from "zustand";
import { type Deferred, deferred, firstPicture } from "./deferred";
import { t } from "@wavescope/core/i18n/i18n";
import "./opener"; // it listens from the first picture on

interface Options {
  /** Shown until the part is there, in its size. */
  readonly placeholder?: ReactNode;
  /** Whether its code comes by itself once the first picture is shown. */
  readonly ahead?: boolean;
  /** Whether the styles of its components come with it, so that it does not wait for those of all. */
  readonly ownStyles?: boolean;
  /** Whether it waits for the first picture even where it is rendered before. */
  readonly afterPicture?: boolean;
}

/** A component whose code comes when it is first rendered, or before that by `load`. */
export type LaterComponent<P> = ComponentType<P> & Pick<Deferred<unknown>, "load">;

export function later<P extends object>(
  fetchPart: () => Promise<ComponentType<P>>,
  { placeholder = null, ahead = false, afterPicture = false, ownStyles = false }: Options = {},
): LaterComponent<P> {
  const part = deferred(fetchPart, { ahead, ownStyles });
  const open = () => lazy(() => moduleOf(part));
  const First = open();
  function Later(props: P) {
    const [Part, setPart] = useState<ComponentType<P>>(() => First);
    const [attempt, setAttempt] = useState(0);
    const { shown } = useStore(firstPicture);
    const again = (): void => {
      setPart(open);
      setAttempt(attempt + 1);
    };
    if (afterPicture && !shown) return placeholder;
    return (
      <LoadBoundary key={attempt} again={again}>
        <Suspense fallback={placeholder}>
          <Part {...props} />
        </Suspense>
      </LoadBoundary>
    );
  }
  return Object.assign(Later, { load: part.load });
}

/** For React.lazy. A part that is there answers at once, so that no placeholder is shown for a moment. */
function moduleOf<P>(part: Deferred<ComponentType<P>>): Promise<{ default: ComponentType<P> }> {
  const loaded = part.loaded();
  if (!loaded) return part.load().then((component) => ({ default: component }), failed);
  const thenable = { then: (resolve: (module: object) => void) => resolve({ default: loaded }) };
  return thenable as unknown as Promise<{ default: ComponentType<P> }>;
}

function failed(cause: unknown): never {
  throw new LoadError("a part of the page could not be loaded", { cause });
}

/** A chunk of the page did not come: no network, or it belongs to a build that the service no longer has. */
class LoadError extends Error {
  override readonly name = "LoadError";
}

interface BoundaryProps {
  readonly again: () => void;
  readonly children: ReactNode;
}

/** Shows the failure of a part in its place. Other errors are thrown again. */
class LoadBoundary extends Component<BoundaryProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof LoadError)) throw error;
    return <LoadFailure again={this.props.again} />;
  }
}

/** Says that a part of the page is missing, with a button that loads it again. */
export function LoadFailure({ again }: { readonly again: () => void }) {
  return (
    <Alert color="yellow" title={t("ui.partNotLoaded")} role="alert" data-testid="part-not-loaded">
      <Button size="compact-sm" variant="default" onClick={again}>
        {t("common.tryAgain")}
      </Button>
    </Alert>
  );
}
