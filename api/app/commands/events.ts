import process from "node:process";
import { formatNumber } from "#schema/numbers.ts";
import { count } from "#api/app/doctor/result.ts";
import { restoreEventMonth } from "#api/licensing/licences/archive-event-months.ts";
import { type LoadDevClock, runWithContext } from "./open-command.ts";

/**
 * Runs `server.js events restore`.
 * @throws AppError NOT_FOUND if the month has no archive, CONFLICT if it wasn't dropped
 */
export async function runEventsRestore(
  month: string,
  { json }: { json?: true },
  loadDevClock: LoadDevClock,
): Promise<void> {
  return runWithContext("events-restore", loadDevClock, async (context) => {
    const restored = await restoreEventMonth(context, month);
    const { files, events, keptUntil } = restored;
    process.stdout.write(
      json
        ? `${JSON.stringify({ month, ...restored })}\n`
        : `Restored ${formatNumber(events)} events of ${month} from ${count(files, "file")}. They stay until ${keptUntil.toISOString()}.\n`,
    );
  });
}
