// npm run dev: the service on port 8000, restarted when its code changes, and the page on Vite's port with live reload.
import "./node-version.mjs";
import { command, inVenv, launch, npm } from "./repository.mjs";
import { service } from "./setup.mjs";

command(async () => {
  await service();
  const api = launch(inVenv("python"), [
    "-m",
    "uvicorn",
    "--reload",
    "--reload-dir",
    "backend/src",
    "--factory",
    "wavescope.main:create_app",
    "--port",
    "8000",
  ]);
  const ended = new Promise((done) => api.once("close", (code) => done(code ?? 0)));
  const { code } = await Promise.race([
    npm("frontend", ["run", "dev"], { stdio: "inherit" }),
    ended.then((code) => ({ code })),
  ]);
  return code;
});
