import { MAX_VERSION_PART } from "#schema/software.ts";

/** Number of parts in a parsed version. Comparisons, including those in SQL, need the same number on both sides. */
const PARTS = 4;

/**
 * Parses a version into four numbers, so 7.2 becomes 7.2.0.0. Ignores text after the leading numbers ("7.2.0-beta.1" is
 * 7.2.0).
 * @returns null if the text doesn't start with one to four numbers of at most 65535.
 */
export function parseVersion(text: string): number[] | null {
  const [leading] = /^\d+(?:\.\d+){0,3}(?!\.?\d)/.exec(text.trim()) ?? [];
  const parts = leading?.split(".").map(Number);
  if (!parts || parts.some((part) => part > MAX_VERSION_PART)) return null;
  return [...parts, ...Array.from({ length: PARTS - parts.length }, () => 0)];
}

/** Returns a negative number if `one` is older than `other`, 0 if they are equal, and a positive number if it is newer. */
export function compareVersions(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < PARTS; index++) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Formats a version as three numbers, or four if the fourth isn't 0. */
export function formatVersion(parts: readonly number[]): string {
  return (parts[3] ? parts : parts.slice(0, 3)).join(".");
}
