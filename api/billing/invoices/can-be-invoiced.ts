import { MemberType } from "#schema/user.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { AppError } from "#api/platform/errors.ts";

/**
 * Checks that a customer can get an invoice.
 * @throws AppError CONFLICT for an admin and for an archived or deleted account.
 */
export function assertCanBeInvoiced(user: User): void {
  if (user.memberType === MemberType.Admin)
    throw new AppError("CONFLICT", { message: "Admins can't have invoices. Choose a customer." });
  if (user.deletedAt)
    throw new AppError("CONFLICT", { message: "This account has been deleted, so it can't get invoices." });
  if (user.archivedAt)
    throw new AppError("CONFLICT", { message: "This user is archived. Restore the user first, then try again." });
}
