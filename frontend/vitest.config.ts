import { defineConfig } from "vitest/config";
import { textsWithCode } from "./bundling/texts.ts";

export default defineConfig({
  plugins: [textsWithCode()],
  test: {
    environment: "node",
    include: ["*/src/**/*.test.ts", "*/src/**/*.test.tsx"],
    testTimeout: 30_000, // a test may wait for the first import of much code on a busy machine
  },
});
