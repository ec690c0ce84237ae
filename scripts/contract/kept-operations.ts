/** The operations of one release of the portal, but for those that a newer one has too. */
export interface ReleasedOperations {
  readonly version: string;
  /** The day it was taken, `YYYY-MM-DD`. */
  readonly takenAt: string;
  /** Text by hash. */
  readonly operations: Readonly<Record<string, string>>;
}

/** A tab's session lives 30 days at most; so its operations are known for twice as long after a newer release. */
const KEPT_DAYS = 60;

/**
 * The releases whose operations stay known, the newest first. Taking the same version again replaces it.
 * @param taken the release that is taken now
 */
export function keptOperations(before: readonly ReleasedOperations[], taken: ReleasedOperations): ReleasedOperations[] {
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
