import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig({
  plugins: [react()],
  worker: { format: "es" },
  build: { target: "es2022", sourcemap: false, chunkSizeWarningLimit: 1500, assetsInlineLimit: 0 },
  server: {
    host: "127.0.0.1",
    port: 5173,
    fs: { allow: [here, repository] },
    // The page's own Host goes along: the service lets changes and live sessions in from the page that it is asked by.
    proxy: { "/api": { target: process.env.WAVESCOPE_API ?? "http://127.0.0.1:8000", ws: true } },
  },
  test: { environment: "node", include: ["src/**/*.test.ts", "src/**/*.test.tsx"] },
});
