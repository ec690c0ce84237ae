import { BlockedMachine } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { invoicesOfUser } from "#api/billing/invoices/invoice.resolver.ts";
import { loadUserComments } from "#api/staff/comments/comment.resolver.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";

/** Loaders of the rows that belong to a user. The SQL reads use the same relations. */
export const userRelations = {
  contacts: createRelationLoader<Contact>({
    entity: Contact,
    of: "user",
    orderBy: { lastName: "asc", firstName: "asc", id: "asc" },
  }),
  blockedMachines: createRelationLoader<BlockedMachine>({
    entity: BlockedMachine,
    of: "user",
    orderBy: { blockedAt: "asc", id: "asc" },
  }),
  licences: createRelationLoader<Licence>({
    entity: Licence,
    of: "user",
    orderBy: { createdAt: "desc", id: "desc" },
  }),
  comments: loadUserComments,
  invoices: invoicesOfUser,
};
