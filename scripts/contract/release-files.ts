/**
 * Moves what is unreleased in a changelog under the heading of a version, and leaves an empty "Unreleased".
 * @param day day of the release, `YYYY-MM-DD`
 * @returns the new changelog; null if nothing is unreleased
 */
export function dateChangelog(changelog: string, version: string, day: string): string | null {
  const [before = "", after = ""] = changelog.split(/^## Unreleased\n/m);
  const [notes = ""] = after.split(/^## /m);
  return notes.trim() === "" ? null : `${before}## Unreleased\n\n## ${version} - ${day}\n${after}`;
}

/** Operations of a portal release that don't occur in any newer release. */
export interface ReleasedOperations {
  readonly version: string;
  /** Day of the release as `YYYY-MM-DD`. */
  readonly takenAt: string;
  /** Texts of the operations by their hash. */
  readonly operations: Readonly<Record<string, string>>;
}

/**
 * Number of days for which the server still accepts a release's operations after a newer release: twice the longest
 * session.
 */
const KEPT_DAYS = 60;

/**
 * Returns the releases whose operations the server still accepts, newest first. Recording a version again replaces its
 * entry.
 * @param taken the new release
 */
export function selectKeptOperations(
  before: readonly ReleasedOperations[],
  taken: ReleasedOperations,
): ReleasedOperations[] {
  const day = Date.parse(taken.takenAt);
  const kept: ReleasedOperations[] = [taken];
  for (const release of before.filter(({ version }) => version !== taken.version)) {
    const successor = kept.at(-1) ?? taken;
    if (day - Date.parse(successor.takenAt) > KEPT_DAYS * 86_400_000) break;
    const own = Object.entries(release.operations).filter(
      ([hash]) => !kept.some(({ operations }) => hash in operations),
    );
    kept.push({ ...release, operations: Object.fromEntries(own) });
  }
  return kept;
}
