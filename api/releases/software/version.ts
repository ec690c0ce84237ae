import { MAX_VERSION_PART } from "#schema/rules/software.ts";

/** How many numbers a version has once it is read; comparing needs the same count on both sides, in SQL too. */
const PARTS = 4;

/**
 * The numbers of a version for comparing, always four of them, so that 7.2 is 7.2.0.0. What follows the
 * leading numbers does not count ("7.2.0-beta.1" is 7.2.0).
 * @returns null when it does not begin with one to four numbers of at most 65535.
 */
export function readVersion(text: string): number[] | null {
  const [leading] = /^\d+(?:\.\d+){0,3}(?!\.?\d)/.exec(text.trim()) ?? [];
  const parts = leading?.split(".").map(Number);
  if (!parts || parts.some((part) => part > MAX_VERSION_PART)) return null;
  return [...parts, ...Array.from({ length: PARTS - parts.length }, () => 0)];
}

/** Below 0 when `one` is older than `other`, 0 when they are the same, above 0 when it is newer. */
export function compareVersions(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < PARTS; index++) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A version as people write it: three numbers, and the fourth when it is not 0. */
export function versionText(parts: readonly number[]): string {
  return (parts[3] ? parts : parts.slice(0, 3)).join(".");
}
