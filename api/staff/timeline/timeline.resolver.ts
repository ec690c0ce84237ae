import { Arg, Args, Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from "type-graphql";
import { User } from "#api/people/users/user.entity.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { AuditChange } from "#api/staff/audit-log/audit.resolver.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { calculateRowsCost } from "#api/platform/graphql/field-costs.ts";
import { createRowLoader } from "#api/platform/graphql/loaders.ts";
import { HistoryArgs, Page } from "#api/platform/graphql/page.ts";
import { getTimeline } from "./timeline.ts";
import { TimelineKind } from "./timeline-sources.ts";
import { timelineTones } from "#schema/timeline.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

@VisibleTo("admin")
@ObjectType({ description: "An event in the history of a user's account." })
export class TimelineEntry {
  @Field(() => ID, { description: "Unique ID." })
  id!: string;

  @Field(() => TimelineKind, { description: "The topic of the event." })
  kind!: TimelineKind;

  @Field(() => Date, { description: "The time of the event, in UTC." })
  at!: Date;

  @Field(() => String, { description: "A short description of the event." })
  title!: string;

  @Field(() => String, {
    nullable: true,
    description: "The machine, contact, invoice or licence that the event concerns.",
  })
  subject?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Additional details, such as the result, the amount or the browser.",
  })
  detail?: string | null;

  @Field(enumType(timelineTones), { description: timelineTones.meaning })
  tone!: string;

  @Field(() => String, { nullable: true, description: "The member of staff who made the change." })
  actorName?: string | null;

  @Field(() => Int, { description: "Number of identical requests from `at` to `lastAt`." })
  count!: number;

  @Field(() => Date, {
    nullable: true,
    description: "The time of the last identical request, in UTC. Null if there was only one.",
  })
  lastAt?: Date | null;

  @Field(() => ID, { nullable: true, description: "The licence that the event concerns." })
  licenceId?: string | null;

  @Field(() => String, { nullable: true, description: "The level and support code of the licence." })
  supportCode?: string | null;

  @Scope("users:read")
  @Field(() => [AuditChange], { description: "The fields that a member of staff changed." })
  changes!: AuditChange[];
}

@VisibleTo("admin")
@ObjectType({ description: "A page of a timeline, newest first." })
export class TimelinePage extends Page {
  @Scope("users:read")
  @Field(() => [TimelineEntry], { description: "The entries of the page." })
  rows!: TimelineEntry[];
}

/** Calculates the query cost. Every page reads all tables of the user, and a search reads up to 1,000 rows. */
const costOfTimeline = ({
  args,
  childComplexity,
}: {
  args: { first?: number; search?: string | null };
  childComplexity: number;
}) => calculateRowsCost(args.first ?? 20, childComplexity) + (args.search?.trim() ? 600 : 20);

const loadAuditEntry = createRowLoader(AuditEntry);

@Resolver(() => TimelineEntry)
export class TimelineEntryResolver {
  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @FieldResolver(() => AuditEntry, { nullable: true, description: "The audit entry of a change by staff, or null." })
  async auditEntry(@Root() { id }: TimelineEntry, @Ctx() context: Context): Promise<AuditEntry | null> {
    const [, entryId] = /^change:(.+)$/.exec(id) ?? [];
    return entryId === undefined ? null : loadAuditEntry(context, entryId);
  }
}

@Resolver(() => User)
export class TimelineResolver {
  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @FieldResolver(() => TimelinePage, {
    description:
      "The history of the user's account, newest first: account events, sign-ins, licences, subscriptions, invoices, contacts, comments and changes by staff.",
    complexity: costOfTimeline,
  })
  async timeline(
    @Root() user: User,
    @Args(() => HistoryArgs) { first, after }: HistoryArgs,
    @Arg("kinds", () => [TimelineKind], {
      nullable: true,
      description: "Kinds of entries to include. Defaults to all.",
    })
    kinds: TimelineKind[] | undefined,
    @Arg("search", () => String, {
      nullable: true,
      description:
        "Words that entries must contain. Each request searches up to 1,000 entries; `endCursor` isn't null if there are older ones.",
    })
    search: string | undefined,
    @Ctx() context: Context,
  ): Promise<TimelinePage> {
    return getTimeline(context, user.id, { first, after, kinds, search });
  }
}
