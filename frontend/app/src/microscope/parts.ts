/** What a feature hands to the slide page: commands, side panels, things laid over the picture and in the top bar. */
import type { ComponentType } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";

/** What a command may act on. */
export interface SlideContext {
  readonly microscope: Microscope;
  readonly manifest: Manifest;
  /** The element that shows the picture and takes the focus. */
  readonly container: HTMLElement | null;
  /** Whether who sits here may start a live session. */
  readonly mayHost: boolean;
  /** Light page or dark. */
  readonly toggleScheme: () => void;
}

export interface Command {
  /** `group.verb`, unique. */
  readonly id: string;
  /** The heading that it stands under in the keyboard map and the palette. */
  readonly group: string;
  readonly title: string;
  /** As `keyName` writes them: `a`, `Shift+ArrowLeft`, `Mod+k` (Ctrl, or Command on Apple's keyboards), `?`. May be empty. */
  readonly keys: readonly string[];
  /** Whether a held key runs it again and again: moves do, switches do not. */
  readonly repeats?: boolean;
  /** Whether it can be done now; left out where it always can. */
  readonly available?: (context: SlideContext) => boolean;
  run(context: SlideContext): void;
}

/** What panels, overlays and items of the top bar are given. */
export interface PartProps {
  readonly microscope: Microscope;
  readonly manifest: Manifest;
}

export interface SidePanelPart {
  readonly id: string;
  readonly title: string;
  readonly icon: ComponentType<{ size?: number | string }>;
  /** The key that opens and closes it. */
  readonly keys: readonly string[];
  readonly Panel: ComponentType<PartProps>;
}

/** Laid over the picture, or a button of the top bar; shown as soon as the slide is open in the viewer. */
export type Overlay = ComponentType<PartProps>;
