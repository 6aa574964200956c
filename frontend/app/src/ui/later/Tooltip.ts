/** A chunk of its own for what Hint.tsx fetches. */
export { KeyTooltip } from "../keys/KeyTooltip";
