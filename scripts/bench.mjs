/** `npm run bench`: brings the build up to date and measures it; `tests/app/bench/` says how. */
import { build } from "./build.mjs";
import { keepServer, typescript, whenAskedToEnd } from "./runtime.mjs";

try {
  await build();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
const bench = keepServer([...typescript, "tests/app/bench/bench.ts", ...process.argv.slice(2)]);
whenAskedToEnd((signal) => void bench.stop(signal));
process.exit(await bench.ended);
