const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Properties of a certificate of erasure and of an audit entry. */
interface Entry {
  readonly userId?: unknown;
  readonly emailHash?: unknown;
  readonly action?: unknown;
}

/**
 * Returns the ids of the users that a text says were erased. The text has certificates of `erase-user --json`, or lines of
 * `audit export`; other entries are skipped.
 */
export function findErasedUsers(text: string): string[] {
  const entries = parseJson(text) ?? text.split("\n").map(parseJson);
  const erased = [entries]
    .flat()
    .filter((entry): entry is Entry => typeof entry === "object" && entry !== null)
    .filter(({ emailHash, action }) => emailHash !== undefined || action === "erase-user")
    .map(({ userId }) => (typeof userId === "string" ? userId.toLowerCase() : ""))
    .filter((userId) => uuid.test(userId));
  return [...new Set(erased)];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
