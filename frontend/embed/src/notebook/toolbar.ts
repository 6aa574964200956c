/** The buttons of the widget: what the next drag does, the whole slide, and how far the view is loaded. */
import { t } from "@wavescope/core/i18n/i18n";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { TraitLink } from "./traitLink";

/** Of 16 x 16 units, drawn as lines. */
const ICONS: Readonly<Record<string, string>> = {
  "": "M3 2l9 6-4 1 3 4-2 1-2-4-3 3z",
  point: "M8 2v4M8 10v4M2 8h4M10 8h4",
  rectangle: "M2.5 4h11v8h-11z",
  ellipse: "M2 8a6 4 0 1 0 12 0a6 4 0 1 0-12 0",
  polygon: "M3 5l6-3 5 5-3 6-7-1z",
  freehand: "M2 11c2-8 4-8 5-3s4 3 7-4",
  rows: "M2 2h3M8 2h3M2 2v3M2 8v3M14 14h-3M14 14v-3M8 14h-2M14 8v-2M6 7h.1M9 9h.1M10 6h.1M7 11h.1",
  whole: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
};

const STYLE = `
.wavescope-bar{position:absolute;top:6px;left:6px;display:flex;flex-direction:column;gap:2px;padding:3px;border-radius:6px;
background:var(--jp-layout-color1,var(--vscode-editor-background,#fff));color:var(--jp-ui-font-color1,var(--vscode-foreground,#222));
box-shadow:0 1px 4px rgb(0 0 0 / 40%)}
.wavescope-bar button{width:28px;height:28px;padding:5px;border:0;border-radius:4px;background:none;color:inherit;cursor:pointer}
.wavescope-bar button:hover{background:rgb(128 128 128 / 25%)}
.wavescope-bar button:focus-visible{outline:2px solid #1f74c9}
.wavescope-bar button[aria-pressed=true]{background:#1457b8;color:#fff}
.wavescope-bar svg{display:block;width:100%;height:100%;fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.wavescope-state{position:absolute;right:6px;bottom:6px;padding:2px 8px;border-radius:10px;font:12px sans-serif;pointer-events:none;
background:rgb(0 0 0 / 65%);color:#fff}
`;

export function toolbar(microscope: Microscope, link: TraitLink): DocumentFragment {
  const { model } = link;
  const part = document.createDocumentFragment();
  const style = document.createElement("style");
  style.textContent = STYLE;
  const bar = document.createElement("div");
  bar.className = "wavescope-bar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", t("annotate.annotationTools"));
  const tools: Readonly<Record<string, string>> = {
    "": t("annotate.select"),
    point: t("annotate.point"),
    rectangle: t("annotate.rectangle"),
    ellipse: t("annotate.ellipse"),
    polygon: t("annotate.polygon"),
    freehand: t("annotate.freehand"),
    rows: t("notebook.selectPoints"),
  };
  const pressed = Object.entries(tools).map(([tool, label]) => {
    const button = buttonOf(tool, label, () => link.put("tool", tool));
    return { tool, button };
  });
  const whole = buttonOf("whole", t("notebook.wholeSlide"), () => microscope.viewer.viewport.goHome());
  bar.append(...pressed.map(({ button }) => button), whole);
  const follow = (): void => {
    for (const { tool, button } of pressed) {
      button.setAttribute("aria-pressed", String(model.get("tool") === tool));
      if (tool === "rows") button.hidden = model.get("_points_change") === 0;
    }
  };
  follow();
  link.on("tool", follow);
  link.on("_points_change", follow);
  // What presses a button does not move the slide.
  bar.addEventListener("pointerdown", (event) => event.stopPropagation());
  part.append(style, bar, stateLine(microscope, link));
  return part;
}

function buttonOf(icon: string, label: string, work: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.title = label;
  button.setAttribute("aria-label", label);
  button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[icon]!}"/></svg>`;
  button.addEventListener("click", work);
  return button;
}

/** How good what is shown is: it says so while it is not all that is stored. */
function stateLine({ state }: Microscope, link: TraitLink): HTMLElement {
  const line = document.createElement("div");
  line.className = "wavescope-state";
  line.setAttribute("role", "status");
  const show = (): void => {
    const { fidelity, damage, offline, stale } = state.getState();
    const text = stale
      ? t("notebook.replaced")
      : offline
        ? t("notebook.offline")
        : damage.length > 0
          ? t("microscope.damagedTitle")
          : fidelity === "exact"
            ? t("microscope.fullyLoaded")
            : fidelity === "sharp"
              ? t("microscope.sharp")
              : t("notebook.loading");
    if (line.textContent !== text) line.textContent = text;
  };
  show();
  link.ending(state.subscribe(show));
  return line;
}
