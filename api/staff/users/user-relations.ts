import { BlockedMachine } from "#api/licensing/devices/blocked-machine.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { Relation } from "#api/platform/related-rows.ts";
import { invoicesOfUser } from "#api/selling/invoices/invoice.resolver.ts";
import { commentsOfUser } from "#api/staff/comments/list-comments.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";

/** What belongs to a user, with its order: resolvers and the SQL lane read the same. */
export const relationsOfUser = {
  contacts: {
    entity: Contact,
    of: "user",
    orderBy: { lastName: "asc", firstName: "asc", id: "asc" },
  } satisfies Relation<Contact>,
  blockedMachines: {
    entity: BlockedMachine,
    of: "user",
    orderBy: { blockedAt: "asc", id: "asc" },
  } satisfies Relation<BlockedMachine>,
  licences: { entity: Licence, of: "user", orderBy: { createdAt: "desc", id: "desc" } } satisfies Relation<Licence>,
  comments: commentsOfUser,
  invoices: invoicesOfUser,
};
