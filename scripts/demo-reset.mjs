/** Empties the database and fills it with demo data (`npm run demo:reset`). */
import { keepServer, typescript, onStopSignal } from "./runtime.mjs";

if (process.env.NODE_ENV === "production") {
  process.stderr.write("demo:reset empties the database and is refused in production.\n");
  process.exit(1);
}
const reset = keepServer([...typescript, "--enable-source-maps", "api/dev/reset-demo.ts"], {
  env: { NODE_ENV: "development" },
});
onStopSignal((signal) => void reset.stop(signal));
process.exit(await reset.ended);
