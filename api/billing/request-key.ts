import { createHash } from "node:crypto";
import { isObject } from "#api/platform/compiled-rules.ts";
import { AppError } from "#api/platform/errors.ts";

/**
 * Returns what the first request with a key recorded, for a repeated request (docs/domain.md#request-keys).
 * @param isSame whether the repeated request has the content of the first one
 * @param recorded what the first one did, such as `credit of A$10.00 was added`
 * @throws AppError CONFLICT with the reason REQUEST_KEY_USED for other content
 */
export function repeatResult<First>(first: First, isSame: boolean, recorded: string): First {
  if (isSame) return first;
  throw new AppError("CONFLICT", {
    message: `This was already sent with other values, and ${recorded}. Check that first. To do more, open the form again.`,
    reason: "REQUEST_KEY_USED",
  });
}

/** Returns the SHA-256 of checked values of a request, for those that are stored otherwise than they were sent. */
export function digestRequest(values: object): string {
  return createHash("sha256").update(JSON.stringify(values, normalise)).digest("base64url");
}

/** Leaves out fields that are empty, and sorts the others, as a replacer of `JSON.stringify`. */
function normalise(_name: string, value: unknown): unknown {
  if (value === null || value === false || value === "") return undefined;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
