/**
 * `npm run dev`: the api, started again when its sources change, and in front of it Vite with hot
 * reload. One address to open: Vite has PORT and hands on what belongs to the api, on the port above.
 */
import { watch } from "node:fs";
import { join } from "node:path";
import { createLogger, createServer } from "vite";
import { keepServer, root, typescript, whenAskedToEnd } from "./runtime.mjs";

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
// Whoever asks while the api starts again gets a 502; a stack for each such request tells nothing more.
logger.error = (message, options) => (message.includes("http proxy error") ? undefined : error(message, options));

// The Vite configuration hands the api's paths on to PORT.
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
  `Open http://localhost:${port}/ (the api is on port ${apiPort}; it starts again when api/ or schema/ change)\n`,
);

whenAskedToEnd((signal) => {
  if (ending) return;
  ending = true;
  void Promise.all([server?.stop(signal), vite.close()]).then(() => process.exit(0));
});

let timer = null;
for (const folder of ["api", "schema"])
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!/\.(ts|json)$/.test(file ?? "")) return;
    clearTimeout(timer);
    // Editors write a file in several steps, and a checkout writes many files.
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
  if (changed) process.stdout.write("The api's sources have changed; starting it again.\n");
  else {
    process.stdout.write("The api has ended; it starts again with the next change of its sources.\n");
    await new Promise((resolve) => {
      const look = setInterval(() => {
        if (!changed && !ending) return;
        clearInterval(look);
        resolve();
      }, 100);
    });
  }
}
