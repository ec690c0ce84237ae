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
