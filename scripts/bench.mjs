/** Brings the build up to date and runs the benchmark in `bench/` on it (`npm run bench`). */
import { build, neededToStart } from "./build.mjs";
import { keepServer, typescript, onStopSignal } from "./runtime.mjs";

try {
  await build(neededToStart);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
const bench = keepServer([...typescript, "bench/bench.ts", ...process.argv.slice(2)]);
onStopSignal((signal) => void bench.stop(signal));
process.exit(await bench.ended);
