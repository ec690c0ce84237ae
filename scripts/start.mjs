/** `npm start`: brings the build up to date and runs the server until it is asked to end. */
import { build } from "./build.mjs";
import { endRuns, exitCode, keepServer, whenAskedToEnd } from "./runtime.mjs";

let server = null;
whenAskedToEnd((signal) => {
  if (server) {
    void server.stop(signal);
    return;
  }
  endRuns();
  process.exit(exitCode(null, signal));
});

try {
  await build();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
// What V8 makes of 15 MB of source is kept beside it, and goes with it when it is built anew.
const env = { NODE_COMPILE_CACHE: "dist/server/compiled" };
server = keepServer(["--enable-source-maps", "dist/server/server.js"], { env });
process.exit(await server.ended);
