import type { LeaseValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { askOfDevice } from "#api/licensing/licences/ask-of-device.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { levelsWithFeatures } from "#api/licensing/licences/licence-status.ts";
import { type LeaseRow, leaseAnswer, takeSeat } from "./take-seat.ts";

/**
 * Gives a session of the add-in a seat of a concurrent licence, the same one when it asks again; longer than a lease
 * lasts when it is borrowed (docs/domain.md#seats). On a licence without seats the answer is VALID and gives no lease.
 * @throws AppError as `askOfDevice`.
 */
export async function takeLease(context: Context, values: LeaseValues): Promise<LicenceAnswer> {
  const row = await askOfDevice<LeaseRow>(
    context,
    "lease",
    values,
    (asked) => takeSeat(context, asked, { kind: "lease", values }),
    { levels_with_features: levelsWithFeatures([]) },
  );
  return row ? leaseAnswer(row) : { code: "LICENCE_NOT_FOUND" };
}
