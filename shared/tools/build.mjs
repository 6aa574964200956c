// npm run build: everything the service serves, from nothing: environment, kernel, page.
import "./node-version.mjs";
import { command } from "./repository.mjs";
import { service } from "./setup.mjs";

command(async () => {
  await service();
  console.log("Built: shared/kernel/build/kernel.wasm, frontend/dist");
});
