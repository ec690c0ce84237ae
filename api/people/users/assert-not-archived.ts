import { conflict } from "#api/platform/errors.ts";
import type { User } from "./user.entity.ts";

/**
 * Checks that a user can get what staff give or send to users.
 * @throws AppError CONFLICT for an archived user
 */
export function assertNotArchived({ archivedAt }: Pick<User, "archivedAt">): void {
  if (archivedAt) throw conflict("This user is archived. Restore the user first, then try again.");
}
