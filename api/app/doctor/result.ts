import type { Finding } from "#api/staff/status/status.resolver.ts";
import { formatCount } from "#schema/numbers.ts";
import manifest from "../../../package.json" with { type: "json" };

/** Version of the release that runs. */
export const version: string = manifest.version;

/** What a check finds. */
export type Result = Omit<Finding, "check">;

export const ok = (message: string): Result => ({ state: "ok", message });
export const warning = (message: string, fix: string): Result => ({ state: "warning", message, fix });
export const failed = (message: string, fix: string): Result => ({ state: "failed", message, fix });

const units = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
] as const;

/** Describes a time span, such as `3 hours`, in its largest unit. */
export function describeSpan(seconds: number): string {
  const [size, unit] = units.find(([one]) => seconds >= one) ?? [1, "second"];
  return formatCount(Math.floor(Math.max(0, seconds) / size), unit);
}
