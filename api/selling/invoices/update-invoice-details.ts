import { LockMode } from "@mikro-orm/core";
import type { InvoiceDetailsValues } from "#schema/rules/invoice.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/transactions.ts";

/**
 * Changes what stands on the caller's future tax invoices: company, ABN and address, which are the profile's own.
 * Issued invoices stay as they are. Text that was not sent is emptied.
 * @throws AppError UNAUTHENTICATED
 */
export async function updateInvoiceDetails(context: Context, values: InvoiceDetailsValues): Promise<User> {
  const userId = context.actor?.userId;
  if (!userId) throw new AppError("UNAUTHENTICATED");
  const { companyName = "", abn = "", unitNumber = "", fullAddress = "", ...address } = values;
  return inTransaction(context, async (em) => {
    const user = await em.findOneOrFail(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    em.assign(user, { ...address, companyName, abn, unitNumber, fullAddress });
    return user;
  });
}
