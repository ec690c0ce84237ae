import { type Level, type Logger, pino } from "pino";
import { toLoggedError } from "#api/platform/observe/log.ts";

/** Creates a log that keeps its lines. */
export function recordLog<Line = Record<string, unknown>>(level: Level): { log: Logger; lines: Line[] } {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  return { log: pino({ level, serializers: { err: toLoggedError } }, { write }), lines };
}
