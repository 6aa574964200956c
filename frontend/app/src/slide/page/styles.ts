/** The styles of the slide page's components that the first load of every page has not (ui/later/firstStyles.ts); the build checks the list. */
import "@mantine/core/styles/Badge.layer.css";
