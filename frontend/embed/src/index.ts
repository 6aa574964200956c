/** What the npm package exports: package/index.d.ts describes it. */
export { WavescopeViewer, defineViewer } from "./element";
export { openSlide } from "./slide";
export { tileSourceOf } from "./tileSource";
