/**
 * The styles of the components of the first load, in the order of Mantine's own sheet; those of all others come with the first part that
 * comes later (laterStyles.ts). Its variables are in neither: MantineProvider writes them (main.tsx). In a layer: the page's own styles
 * win whichever sheet comes last. The build checks the list (bundling/firstLoad.ts).
 */
import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/global.layer.css";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/Loader.layer.css";
import "@mantine/core/styles/ActionIcon.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/Alert.layer.css";
import "@mantine/core/styles/Text.layer.css";
import "@mantine/core/styles/Button.layer.css";
import "@mantine/core/styles/Center.layer.css";
