import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow } from "#api/platform/graphql/declare.ts";
import { createLink, createLinks, linkReference } from "#api/platform/graphql/links.ts";
import { createRowLoader } from "#api/platform/graphql/loaders.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { loadSubscription } from "#api/billing/subscriptions/list-subscriptions.ts";
import { BillingSubscription } from "#api/billing/subscriptions/subscription.resolver.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { linkLicence, loadLicence } from "#api/licensing/licences/list-licences.ts";
import { AccountMerge } from "#api/people/merges/account-merge.entity.ts";
import { linkUser, User } from "#api/people/users/user.entity.ts";
import { AttentionRow } from "#api/staff/attention/attention.resolver.ts";
import { BulkRow, BulkRun } from "#api/staff/bulk/bulk-run.entity.ts";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { DashboardRow } from "#api/staff/dashboard/dashboard.types.ts";
import { SearchHit } from "#api/staff/search/search-hit.type.ts";
import { TimelineEntry } from "#api/staff/timeline/describe-entry.ts";

const readsUsers = Allow("admin", { roles: customerStaff, scope: "users:read" });
const readsAsSupport = Allow("admin", { roles: ["support"], scope: "users:read" });
const readsLicences = Allow("admin", { roles: customerStaff, scope: "licences:read" });
const readsTimeline = Allow("admin", { roles: ["support"], scope: "licences:read" });
const readsBilling = Allow("admin", { roles: customerStaff, scope: "billing:read" });
const readsRuns = Allow("admin", { roles: ["support"], scope: "session" });

const linkRun = createLink(() => BulkRun, createRowLoader(BulkRun));
const linkSubscription = createLink(() => BillingSubscription, loadSubscription);

@Resolver(() => AuditEntry)
class ChangedLicenceResolver {
  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, {
    nullable: true,
    description: "The licence that changed. Null if the change is of something else.",
  })
  async licence(@Root() row: AuditEntry, @Ctx() context: Context): Promise<Licence | null> {
    return row.subjectType === "licence" ? loadLicence(context, row.subjectId) : null;
  }
}

/** Fields for the object behind each exposed ID (decision 0131). */
export const staffLinks = [
  ChangedLicenceResolver,
  createLinks(() => AccountMerge, {
    kept: linkReference("kept", () => User, "The account that goes on.", readsAsSupport),
    merged: linkReference("merged", () => User, "The account that ended.", readsAsSupport),
  }),
  createLinks(() => AttentionRow, {
    licence: linkLicence("licenceId", "The licence concerned. Null if there is none.", readsLicences),
    subscription: linkSubscription("subscriptionId", "The past due subscription of a failed renewal.", readsBilling),
  }),
  createLinks(() => AuditEntry, {
    actor: linkUser(
      "actorId",
      "The admin who made the change. Null if there is none or the account was deleted.",
      readsUsers,
    ),
    bulkRun: linkRun("bulkRunId", "The bulk run that caused the change. Null without a run.", readsRuns),
  }),
  createLinks(() => BulkRow, {
    user: linkUser("userId", "The user concerned. Null until the user exists.", readsUsers),
    licence: linkLicence("licenceId", "The licence concerned. Null until the licence exists.", readsLicences),
  }),
  createLinks(() => Comment, {
    user: linkReference("user", () => User, "The user whom the comment is about.", readsAsSupport),
    author: linkUser(
      "commentedById",
      "The admin who wrote the comment. Null if their account was deleted.",
      readsAsSupport,
    ),
  }),
  createLinks(() => Contact, { user: linkReference("user", () => User, "The customer.", readsUsers) }),
  createLinks(() => DashboardRow, {
    licence: linkLicence("licenceId", "The licence concerned. Null if there is none.", readsLicences),
  }),
  createLinks(() => SearchHit, {
    user: linkUser("userId", "The user, or the user that the object belongs to.", readsUsers),
    licence: linkLicence(
      "licenceId",
      "The licence, or the licence of the device. Null for other kinds.",
      readsLicences,
    ),
  }),
  createLinks(() => TimelineEntry, {
    licence: linkLicence("licenceId", "The licence that the event concerns.", readsTimeline),
  }),
];
