import type { Context } from "#api/platform/context.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { emailUserOnce } from "#api/messaging/emails/send-email.ts";
import type { EmailTemplate } from "#api/messaging/emails/template.tsx";

/** The owner of a licence, as a sweep read them. */
export interface Owner {
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
}

/**
 * Emails the owner of a licence as `emailUserOnce` does, unless the account was closed since the owner was read. The erasure
 * of a deleted account wouldn't delete the email.
 */
export function emailOwnerOnce<Data extends { readonly firstName: string }>(
  context: Context,
  owner: Owner,
  dedupeKey: string,
  template: EmailTemplate<Data>,
  data: Omit<NoInfer<Data>, "firstName">,
): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const open = "select from users where id = $1 and archived_at is null for key share";
    if ((await query(em, open, [owner.userId])).length === 0) return false;
    return emailUserOnce(context, em, owner, dedupeKey, template, data);
  });
}
