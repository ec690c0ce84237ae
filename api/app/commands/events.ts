import { formatCount } from "#schema/numbers.ts";
import { restoreEventMonth } from "#api/licensing/licences/archive-event-months.ts";
import { type LoadDevClock, runWithContext } from "./open-command.ts";
import { printResult } from "./print.ts";

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
    printResult({ month, ...restored }, json, () => {
      const found = `${formatCount(events, "event")} of ${month} from ${formatCount(files, "file")}`;
      return `Restored ${found}. They stay until ${keptUntil.toISOString()}.\n`;
    });
  });
}
