/**
 * Starts the API, which restarts when its sources change, and Vite with hot reload in front of it (`npm run dev`). Vite
 * listens on PORT and forwards the API's paths to the next port, so there is only one URL to open.
 */
import { watch } from "node:fs";
import { join } from "node:path";
import { createLogger, createServer } from "vite";
import { keepServer, root, typescript, onStopSignal } from "./runtime.mjs";

const port = Number(process.env.PORT || 4000);
const apiPort = port + 1;

const api = {
  NODE_ENV: "development",
  PORT: String(apiPort),
  PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}`,
};

let server = null;
let ending = false;
let changed = false;

const logger = createLogger();
const error = logger.error.bind(logger);
// Requests get a 502 while the API restarts. A stack trace for each of them would be noise.
logger.error = (message, options) => (message.includes("http proxy error") ? undefined : error(message, options));

// The Vite configuration forwards the API's paths to PORT.
process.env.PORT = String(apiPort);
const vite = await createServer({
  configFile: join(root, "vite.config.ts"),
  customLogger: logger,
  server: { port, strictPort: true },
});
try {
  await vite.listen();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
process.stdout.write(
  `Open http://localhost:${port}/ (the api is on port ${apiPort} and restarts when api/ or schema/ change)\n`,
);

onStopSignal((signal) => {
  if (ending) return;
  ending = true;
  void Promise.all([server?.stop(signal), vite.close()]).then(() => process.exit(0));
});

let timer = null;
for (const folder of ["api", "schema"])
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!/\.(tsx?|json)$/.test(file ?? "")) return;
    clearTimeout(timer);
    // Waits a moment, because editors write a file in several steps, and a checkout writes many files.
    timer = setTimeout(() => {
      changed = true;
      void server?.stop("SIGTERM");
    }, 150);
  });

while (!ending) {
  changed = false;
  server = keepServer([...typescript, "--enable-source-maps", "api/server.ts"], { env: api });
  await server.ended;
  if (ending) break;
  server = null;
  if (changed) process.stdout.write("The api's sources changed; restarting it.\n");
  else {
    process.stdout.write("The api stopped; it restarts when its sources change.\n");
    await new Promise((resolve) => {
      const poll = setInterval(() => {
        if (!changed && !ending) return;
        clearInterval(poll);
        resolve();
      }, 100);
    });
  }
}
