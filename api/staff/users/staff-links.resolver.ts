import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import { createRowLoader, loadReference } from "#api/platform/graphql/loaders.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { loadSubscription } from "#api/billing/subscriptions/list-subscriptions.ts";
import { BillingSubscription } from "#api/billing/subscriptions/subscription.resolver.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { loadLicence } from "#api/licensing/licences/list-licences.ts";
import { loadUserById } from "#api/people/users/get-user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { AttentionRow } from "#api/staff/attention/attention.resolver.ts";
import { BulkRow } from "#api/staff/bulk/bulk-row.entity.ts";
import { BulkRun } from "#api/staff/bulk/bulk-run.entity.ts";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { DashboardRow } from "#api/staff/dashboard/dashboard.types.ts";
import { SearchHit } from "#api/staff/search/search-hit.type.ts";
import { TimelineEntry } from "#api/staff/timeline/describe-entry.ts";

const loadRun = createRowLoader(BulkRun);

@Resolver(() => Comment)
class CommentLinksResolver {
  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @FieldResolver(() => User, { description: "The user whom the comment is about." })
  async user(@Root() row: Comment): Promise<User> {
    return loadReference(row.user);
  }

  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @FieldResolver(() => User, {
    nullable: true,
    description: "The admin who wrote the comment. Null if their account was deleted.",
  })
  async author(@Root() row: Comment, @Ctx() context: Context): Promise<User | null> {
    return loadUserById(context, row.commentedById);
  }
}

@Resolver(() => Contact)
class ContactLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { description: "The customer." })
  async user(@Root() row: Contact): Promise<User> {
    return loadReference(row.user);
  }
}

@Resolver(() => AuditEntry)
class AuditEntryLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, {
    nullable: true,
    description: "The admin who made the change. Null if there is none or the account was deleted.",
  })
  async actor(@Root() row: AuditEntry, @Ctx() context: Context): Promise<User | null> {
    return row.actorId === null ? null : loadUserById(context, row.actorId);
  }

  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, {
    nullable: true,
    description: "The licence that changed. Null if the change is of something else.",
  })
  async licence(@Root() row: AuditEntry, @Ctx() context: Context): Promise<Licence | null> {
    return row.subjectType === "licence" ? loadLicence(context, row.subjectId) : null;
  }

  @Allow("admin", { roles: ["support"], scope: "session" })
  @FieldResolver(() => BulkRun, {
    nullable: true,
    description: "The bulk run that caused the change. Null without a run.",
  })
  async bulkRun(@Root() row: AuditEntry, @Ctx() context: Context): Promise<BulkRun | null> {
    return row.bulkRunId === null ? null : loadRun(context, row.bulkRunId);
  }
}

@Resolver(() => AttentionRow)
class AttentionLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, { nullable: true, description: "The licence concerned. Null if there is none." })
  async licence(@Root() row: AttentionRow, @Ctx() context: Context): Promise<Licence | null> {
    return row.licenceId === null ? null : loadLicence(context, row.licenceId);
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => BillingSubscription, {
    nullable: true,
    description: "The past due subscription of a failed renewal.",
  })
  async subscription(@Root() row: AttentionRow, @Ctx() context: Context): Promise<BillingSubscription | null> {
    return row.subscriptionId === null ? null : loadSubscription(context, row.subscriptionId);
  }
}

@Resolver(() => DashboardRow)
class DashboardLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, { nullable: true, description: "The licence concerned. Null if there is none." })
  async licence(@Root() row: DashboardRow, @Ctx() context: Context): Promise<Licence | null> {
    return row.licenceId === null ? null : loadLicence(context, row.licenceId);
  }
}

@Resolver(() => BulkRow)
class BulkRowLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { nullable: true, description: "The user concerned. Null until the user exists." })
  async user(@Root() row: BulkRow, @Ctx() context: Context): Promise<User | null> {
    return row.userId === null ? null : loadUserById(context, row.userId);
  }

  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, {
    nullable: true,
    description: "The licence concerned. Null until the licence exists.",
  })
  async licence(@Root() row: BulkRow, @Ctx() context: Context): Promise<Licence | null> {
    return row.licenceId === null ? null : loadLicence(context, row.licenceId);
  }
}

@Resolver(() => SearchHit)
class SearchHitLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { nullable: true, description: "The user, or the user that the object belongs to." })
  async user(@Root() row: SearchHit, @Ctx() context: Context): Promise<User | null> {
    return loadUserById(context, row.userId);
  }

  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, {
    nullable: true,
    description: "The licence, or the licence of the device. Null for other kinds.",
  })
  async licence(@Root() row: SearchHit, @Ctx() context: Context): Promise<Licence | null> {
    return row.licenceId === null ? null : loadLicence(context, row.licenceId);
  }
}

@Resolver(() => TimelineEntry)
class TimelineLinksResolver {
  @Allow("admin", { roles: ["support"], scope: "licences:read" })
  @FieldResolver(() => Licence, { nullable: true, description: "The licence that the event concerns." })
  async licence(@Root() row: TimelineEntry, @Ctx() context: Context): Promise<Licence | null> {
    return row.licenceId ? loadLicence(context, row.licenceId) : null;
  }
}

/** Fields for the object behind each exposed ID (decision 0131). */
export const staffLinks = [
  AttentionLinksResolver,
  AuditEntryLinksResolver,
  BulkRowLinksResolver,
  CommentLinksResolver,
  ContactLinksResolver,
  DashboardLinksResolver,
  SearchHitLinksResolver,
  TimelineLinksResolver,
];
