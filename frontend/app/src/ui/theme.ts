import { type CSSVariablesResolver, type MantineColorsTuple, createTheme } from "@mantine/core";

/** The blue of a haematoxylin stain: calm beside pink tissue, legible on both grounds. */
const haematoxylin: MantineColorsTuple = [
  "#eef3fb",
  "#dbe4f2",
  "#b4c7e3",
  "#8aa8d4",
  "#678dc7",
  "#517cc0",
  "#4574bd",
  "#3663a7",
  "#2d5896",
  "#1f4b85",
];

/** What closes slowly takes the next key. */
const AT_ONCE = { exitDuration: 0 };

export const theme = createTheme({
  primaryColor: "haematoxylin",
  primaryShade: { light: 7, dark: 6 },
  colors: { haematoxylin },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: "Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  headings: { fontWeight: "600" },
  components: {
    TextInput: { defaultProps: { leftSectionPointerEvents: "none" } }, // a press on its icon is one on the field
    Progress: { defaultProps: { transitionDuration: 0 } }, // a bar is as long as the number beside it says
    Popover: { defaultProps: { transitionProps: AT_ONCE } }, // and menus
    Modal: {
      defaultProps: {
        transitionProps: AT_ONCE,
        removeScrollProps: { allowPinchZoom: true }, // two fingers scroll and enlarge a dialog as they do any page
      },
      styles: { title: { fontWeight: 600 } },
    },
  },
});

/** Secondary text and placeholders have a contrast of at least 4.5:1 on every background of the page. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { "--mantine-color-dimmed": "#5a6169", "--mantine-color-placeholder": "#666d75" },
  dark: { "--mantine-color-dimmed": "#a9abb0", "--mantine-color-placeholder": "#a0a2a8" },
});
