import { Arg, Ctx, Field, FieldResolver, ID, Int, ObjectType, registerEnumType, Resolver, Root } from "type-graphql";
import { User } from "#api/people/users/user.entity.ts";
import { AuditChange } from "#api/staff/audit-log/audit.resolver.ts";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { costOfRows } from "#api/platform/field-costs.ts";
import { timelineOf } from "./timeline.ts";
import { TimelineKind } from "./timeline-sources.ts";

registerEnumType(TimelineKind, { name: "TimelineKind", description: "What an entry of a timeline is about." });

@ObjectType({ description: "One thing that happened to a user's account, in words." })
export class TimelineEntry {
  @Field(() => ID)
  id!: string;

  @Field(() => TimelineKind)
  kind!: TimelineKind;

  @Field(() => Date, { description: "UTC." })
  at!: Date;

  @Field(() => String, { description: "What happened." })
  title!: string;

  @Field(() => String, { nullable: true, description: "The machine, contact, invoice or licence it happened to." })
  subject?: string | null;

  @Field(() => String, { nullable: true, description: "The answer, the sum or the browser." })
  detail?: string | null;

  @Field(() => String, { description: "`granted`, `refused` or `change`." })
  tone!: string;

  @Field(() => String, { nullable: true, description: "The member of staff who did it." })
  actorName?: string | null;

  @Field(() => Int, { description: "How often the same was asked from `at` to `lastAt`." })
  count!: number;

  @Field(() => Date, { nullable: true, description: "UTC; null when it happened once." })
  lastAt?: Date | null;

  @Field(() => ID, { nullable: true, description: "Whose history tells more." })
  licenceId?: string | null;

  @Field(() => String, { nullable: true, description: "The licence as staff know it: level and support code." })
  supportCode?: string | null;

  @Field(() => [AuditChange], { description: "What a member of staff changed, field by field." })
  changes!: AuditChange[];
}

@ObjectType({ description: "A part of a timeline, newest first." })
export class TimelinePage {
  @Field(() => [TimelineEntry])
  rows!: TimelineEntry[];

  @Field(() => String, { nullable: true, description: "Given as `after`, it leads to the next, older part." })
  endCursor!: string | null;

  @Field(() => Boolean, { description: "Whether there is an older part." })
  hasMore!: boolean;
}

/** All the user's tables are read, even for one row; a search reads up to a thousand rows. */
const costOfTimeline = ({
  args,
  childComplexity,
}: {
  args: { first?: number; search?: string | null };
  childComplexity: number;
}) => costOfRows(args.first ?? 20, childComplexity) + (args.search?.trim() ? 600 : 20);

@Resolver(() => User)
export class TimelineResolver {
  @Allow("admin")
  @FieldResolver(() => TimelinePage, {
    description:
      "All that happened to the user as one list, newest first: account, sign-ins, licences, subscription, invoices, contacts, and what staff changed.",
    complexity: costOfTimeline,
  })
  async timeline(
    @Root() user: User,
    @Arg("first", () => Int, { defaultValue: 20, description: "At most 100." }) first: number,
    @Arg("after", () => String, { nullable: true }) after: string | undefined,
    @Arg("kinds", () => [TimelineKind], { nullable: true, description: "All when left out." })
    kinds: TimelineKind[] | undefined,
    @Arg("search", () => String, {
      nullable: true,
      description:
        "Only entries whose words hold each of these. A thousand are looked through at a time; `hasMore` tells of older ones.",
    })
    search: string | undefined,
    @Ctx() context: Context,
  ): Promise<TimelinePage> {
    return timelineOf(context, user.id, { first, after, kinds, search });
  }
}
