import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { User } from "#api/people/users/user.entity.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { createPage, field } from "#api/platform/graphql/create-type.ts";
import { Allow, Scope } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { calculateRowsCost, HistoryArgs } from "#api/platform/graphql/page.ts";
import { createRowLoader } from "#api/platform/graphql/loaders.ts";
import { TimelineEntry } from "./describe-entry.ts";
import { getTimeline } from "./timeline.ts";
import { TimelineKind } from "./timeline-sources.ts";

export const TimelinePage = createPage("TimelinePage", "admin", "A page of a timeline, newest first.", {
  rows: field.list(() => TimelineEntry, "The entries of the page.", { access: Scope("users:read") }),
});
export type TimelinePage = InstanceType<typeof TimelinePage>;

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
