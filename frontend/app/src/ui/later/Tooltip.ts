/** A chunk of its own for what Hint.tsx fetches. */
export { Tooltip } from "@mantine/core";
