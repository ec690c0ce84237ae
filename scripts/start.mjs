/** Brings the build up to date and runs the server until it receives a signal (`npm start`). */
import { build, neededToStart } from "./build.mjs";
import { endRuns, exitCode, keepServer, onStopSignal } from "./runtime.mjs";

const environment = process.env.NODE_ENV || "development";
let server = null;
onStopSignal((signal) => {
  if (server) {
    void server.stop(signal);
    return;
  }
  endRuns();
  process.exit(exitCode(null, signal));
});

try {
  await build(neededToStart, { hasSamples: environment !== "production" });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
// Caches V8's compiled code in the build folder, so that the next build deletes it.
const env = { NODE_COMPILE_CACHE: "dist/server/compiled", NODE_ENV: environment };
server = keepServer(["--enable-source-maps", "dist/server/server.js"], { env });
process.exit(await server.ended);
