import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from "type-graphql";
import {
  labelSecurityValue,
  securityDetailLabels,
  securityEventFilterRules,
  type SecurityEventFilterValues,
  securityEventTypes,
} from "#schema/security-event.ts";
import { SecurityEvent } from "#api/audit/security-events/security-event.entity.ts";
import { loadUserById, User } from "#api/people/users/user.entity.ts";
import { Allow, createPage, createType, enumListType, field, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, HistoryArgs } from "#api/platform/graphql/page.ts";
import { listSecurityEvents } from "./list-security-events.ts";
import { findLabel } from "#schema/closed-list.ts";

export const SecurityEventPage = createPage(
  "SecurityEventPage",
  "admin",
  "A page of the security events, newest first.",
  { rows: field.list(() => SecurityEvent, "The events of the page.", { access: Scope("reports:read", []) }) },
);
export type SecurityEventPage = InstanceType<typeof SecurityEventPage>;

export const SecurityEventFact = createType(
  "SecurityEventFact",
  "admin",
  "A field of a security event's detail, formatted for display.",
  { label: field.text("Label of the field."), value: field.text("The value, formatted for display.") },
);
export type SecurityEventFact = InstanceType<typeof SecurityEventFact>;

const SecurityEventFilter = createInput("SecurityEventFilter", securityEventFilterRules, {
  description: "Filters for the security events. Omitted fields don't filter.",
  fields: {
    userId: { type: ID, description: "The user concerned, or the admin who caused the event." },
    address: "The IP address of the request.",
    from: "Earliest time, included. UTC if there is no offset.",
    to: "Latest time, in the same formats as `from`. A date without a time includes the whole day.",
    search: "Words from the name, email or company of a user, or an id.",
  },
});

@Resolver(() => SecurityEvent)
export class SecurityEventResolver {
  @Allow("admin", { roles: [], scope: "reports:read" })
  @Query(() => SecurityEventPage, {
    description: "Lists security events, such as failed sign-ins, newest first.",
    complexity: createPageCost(),
  })
  async securityEvents(
    @Arg("types", enumListType(securityEventTypes), {
      nullable: true,
      description: "Types to include. Defaults to all.",
    })
    types: string[] | undefined,
    @CheckedArg("filter", SecurityEventFilter, { defaultValue: {} }) filter: SecurityEventFilterValues,
    @Args(() => HistoryArgs) { first, after }: HistoryArgs,
    @Ctx() context: Context,
  ): Promise<SecurityEventPage> {
    return listSecurityEvents(context, { first, after, types: types ?? [], filter });
  }

  @FieldResolver(() => String, { description: "The label of the type." })
  what(@Root() { type }: SecurityEvent): string {
    return findLabel(securityEventTypes, type);
  }

  @FieldResolver(() => String, {
    description: "The details as a JSON object. The fields depend on the type. Empty after the user was erased.",
  })
  detail(@Root() event: SecurityEvent): string {
    return JSON.stringify(event.detail);
  }

  @Allow("admin", { roles: [], scope: "reports:read" })
  @FieldResolver(() => [SecurityEventFact], { description: "The details, formatted for display." })
  facts(@Root() { detail }: SecurityEvent): SecurityEventFact[] {
    return Object.entries(detail).map(([name, value]) => ({
      label: securityDetailLabels[name] ?? name,
      value: formatDetailValue(name, value),
    }));
  }

  @Allow("admin", { roles: [], scope: "users:read" })
  @FieldResolver(() => User, {
    nullable: true,
    description: "The user whose account the event concerns. Null if unknown or the user no longer exists.",
  })
  async user(@Root() { userId }: SecurityEvent, @Ctx() context: Context): Promise<User | null> {
    return userId === null ? null : loadUserById(context, userId);
  }

  @Allow("admin", { roles: [], scope: "users:read" })
  @FieldResolver(() => User, {
    nullable: true,
    description: "The admin who caused the event on another user's account. Null if there is none.",
  })
  async actor(@Root() { actorId }: SecurityEvent, @Ctx() context: Context): Promise<User | null> {
    return actorId === null ? null : loadUserById(context, actorId);
  }
}

function formatDetailValue(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return labelSecurityValue(name, String(value));
}
