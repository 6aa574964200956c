import { useRef } from "react";
import type { Manifest } from "../../wire/manifest";
import type { Microscope } from "../../viewer/microscope";
import { FocusSlider } from "./FocusSlider";
import { Notices } from "./Notices";
import { Overview } from "./Overview";
import { ScaleMark } from "./ScaleMark";
import { StatusBar } from "./StatusBar";
import { TopBar } from "./TopBar";
import { ZoomControls } from "./ZoomControls";
import { stageKey } from "./keyboard";
import { useMicroscope } from "./useMicroscope";
import styles from "./slide.module.css";

interface Props {
  readonly manifest: Manifest;
  readonly onReload: () => void;
}

export function SlideView({ manifest, onReload }: Props) {
  const page = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const { scope, failure } = useMicroscope(stage, manifest);
  const keys = (event: React.KeyboardEvent): void => {
    if (scope && stageKey(scope, event, page.current)) event.preventDefault();
  };
  return (
    <div ref={page} className={styles.page} data-testid="slide-page" data-ready={scope !== null}>
      <TopBar manifest={manifest} page={page} />
      <main className={styles.field}>
        <div
          ref={stage}
          className={styles.stage}
          tabIndex={0}
          role="application"
          aria-label={`Microscope: ${manifest.title}. Arrow keys move, plus and minus zoom, 0 shows the whole slide.`}
          onKeyDown={keys}
          data-testid="stage"
        />
        <Notices scope={scope} failure={failure} onReload={onReload} />
        {scope && <Controls scope={scope} />}
      </main>
      {scope ? <StatusBar scope={scope} /> : <footer className={styles.statusBar} />}
    </div>
  );
}

function Controls({ scope }: { readonly scope: Microscope }) {
  return (
    <>
      <div className={styles.right}>
        <Overview scope={scope} />
        <ZoomControls scope={scope} />
      </div>
      {scope.manifest.planes > 1 && <FocusSlider scope={scope} />}
      <ScaleMark scope={scope} />
    </>
  );
}
