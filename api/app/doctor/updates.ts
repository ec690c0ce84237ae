import { object, string } from "yup";
import { SECOND } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { version } from "#api/app/version.ts";
import { ok, type Result, warning } from "./result.ts";

const WAIT_MS = 5 * SECOND;

/** What UPDATES_URL returns: `release.json`, which `npm run release` writes. */
const releaseRules = object({
  version: string()
    .matches(/^\d+\.\d+\.\d+$/)
    .required(),
  notes: string().url(),
});

/** Looks for a newer release at UPDATES_URL, and nowhere if it isn't set (decision 0234). */
export async function checkUpdates({ operations }: Pick<Config, "operations">, running = version): Promise<Result> {
  if (!operations.updatesUrl) return ok(`version ${running}; UPDATES_URL isn't set, so nothing looks for a newer one`);
  try {
    const response = await fetch(operations.updatesUrl, { signal: AbortSignal.timeout(WAIT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const latest = await releaseRules.validate(await response.json());
    if (compareVersions(latest.version, running) <= 0) return ok(`version ${running} is the newest`);
    return warning(
      `Version ${latest.version} is available; ${running} runs.`,
      `Read ${latest.notes ?? "its notes"}, then follow docs/upgrading.md.`,
    );
  } catch (error) {
    return warning(
      `UPDATES_URL doesn't name a release: ${(error as Error).message}`,
      "Correct it, or unset it to look for none.",
    );
  }
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
