import type { Context } from "#api/platform/context.ts";

/**
 * Counts an account email to an unconfirmed address, no matter who requested it, and returns whether it may be sent: at
 * most 3 an hour (docs/domain.md#unconfirmed). Only the address's owner can tell that an email is missing, so public calls
 * respond as if it was sent.
 */
export function countAccountEmail({ rateLimits }: Pick<Context, "rateLimits">, address: string): Promise<boolean> {
  return rateLimits.tryTake("accountMailByEmail", address.toLowerCase());
}

/**
 * Counts an account email to an unconfirmed address that the caller may know about, such as staff.
 * @throws AppError RATE_LIMITED after 3 such emails an hour, no matter who requested them.
 */
export async function requireAccountEmail({ rateLimits }: Pick<Context, "rateLimits">, address: string): Promise<void> {
  await rateLimits.take("accountMailByEmail", address.toLowerCase());
}
