/**
 * The styles of all components of Mantine; the few of the first load (firstStyles.ts) are the same rules. Those of its other packages are
 * built on them, so they follow in the same sheet: rules of one layer win by their order.
 * With them comes what the user chose of looks and keys, and what explains problems: those of the first load have pages of their own.
 */
import "@mantine/core/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";
import "../density.css";
import "../appearance";
import "../keys/storedKeys";
import "@wavescope/core/wire/http/ownWords";
