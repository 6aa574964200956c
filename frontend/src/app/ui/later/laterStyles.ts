/** The styles of all components of Mantine; the few of the first load (firstStyles.ts) are the same rules. */
import "@mantine/core/styles.layer.css";
