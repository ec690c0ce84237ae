/** Operations of a portal release that no newer release has. */
export interface ReleasedOperations {
  readonly version: string;
  /** Day of the release, `YYYY-MM-DD`. */
  readonly takenAt: string;
  /** Text by hash. */
  readonly operations: Readonly<Record<string, string>>;
}

/** Days that operations stay known after a newer release: twice the longest session. */
const KEPT_DAYS = 60;

/**
 * Returns the releases whose operations stay known, newest first. Recording a version again replaces it.
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
