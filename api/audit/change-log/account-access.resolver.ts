import { Arg, Ctx, Int, Query, Resolver } from "type-graphql";
import { defineList, findLabel, type ValueOf } from "#schema/closed-list.ts";
import { staffRoles, type StaffRole } from "#schema/staff-roles.ts";
import { MemberType } from "#schema/user.ts";
import { Allow, createType, field, Scope } from "#api/platform/graphql/declare.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { calculateRowsCost, checkHistorySize, MAX_HISTORY_ROWS } from "#api/platform/graphql/page.ts";
import { auditActionList } from "./audit-actions.ts";

const accessKinds = defineList("AccountAccessKind", "How our staff accessed the account of a customer.", {
  VIEWED: ["viewed", "Viewed", "Viewed the portal as the customer."],
  EXPORTED: ["exported", "Exported", "Downloaded a file with customers' data."],
  CHANGED: ["changed", "Changed", "Changed the account or what belongs to it."],
});

export const AccountAccess = createType(
  "AccountAccess",
  "customer",
  "An access of our staff to the account of a customer.",
  {
    at: field.moment("The time of the access, in UTC."),
    kind: field.choice<ValueOf<typeof accessKinds>>(accessKinds, "The kind of access."),
    role: field.text("Current role of the member of staff, such as `Support`; never a name."),
    description: field.text("What was done, such as `Viewed the portal as the customer`."),
  },
);
export type AccountAccess = InstanceType<typeof AccountAccess>;

export const AccountAccessLog = createType(
  "AccountAccessLog",
  "customer",
  "The latest accesses of our staff to an account, newest first.",
  { rows: field.list(() => AccountAccess, "The accesses.", { access: Scope("profile:read") }) },
);
export type AccountAccessLog = InstanceType<typeof AccountAccessLog>;

interface Found {
  /** PostgreSQL's text, which `Date` parses. */
  readonly at: string;
  readonly action: string;
  readonly isStaff: boolean;
  /** Null for somebody who isn't an admin any more. */
  readonly roles: readonly StaffRole[] | null;
}

@Resolver()
export class AccountAccessResolver {
  @Allow("customer", { scope: "profile:read" })
  @Query(() => AccountAccessLog, {
    description:
      "Returns who of our staff viewed, exported or changed the caller's account, by role. Includes every export of users since the caller registered.",
    complexity: ({ args, childComplexity }) => calculateRowsCost((args as { first: number }).first, childComplexity),
  })
  async accountAccess(
    @Arg("first", () => Int, { defaultValue: 20, description: `Number of rows, from 1 to ${MAX_HISTORY_ROWS}.` })
    first: number,
    @Ctx() context: Context,
  ): Promise<AccountAccessLog> {
    return { rows: await listAccountAccess(context, first) };
  }
}

/**
 * Returns the latest accesses to the caller's account. Leaves out what customers did, also without signing in, and comments,
 * which don't change the account.
 * @throws AppError UNAUTHENTICATED; BAD_USER_INPUT for more than {@link MAX_HISTORY_ROWS} rows
 */
async function listAccountAccess(context: Context, first: number): Promise<AccountAccess[]> {
  checkHistorySize(first);
  const { rows } = await context.pool.query<Found>(
    `select a.at, a.action, a.actor_id is not null as "isStaff", u.staff_roles as roles from (
       (select at, action, actor_id from audit_entries
         where user_id = $1 and actor_id is distinct from $1 and subject_type <> 'comment' and action <> 'accept-quote'
         order by at desc limit $2)
       union all
       (select at, action, actor_id from audit_entries
         where action in ('export-users', 'export-report') and user_id is null
           and at >= (select registered_at from users where id = $1)
         order by at desc limit $2)
     ) a left join users u on u.id = a.actor_id and u.member_type = ${MemberType.Admin} and u.deleted_at is null
      order by a.at desc limit $2`,
    [getCallerId(context), first],
  );
  return rows.map(({ at, action, isStaff, roles }) => ({
    at: new Date(at),
    kind: action.startsWith("export-")
      ? "exported"
      : /^(view-as-customer|end-view)$/.test(action)
        ? "viewed"
        : "changed",
    role: isStaff ? describeRoles(roles) : "System",
    description: findLabel(auditActionList, action),
  }));
}

/** Returns the labels of an admin's roles. Without any, the admin is an owner. */
function describeRoles(roles: readonly StaffRole[] | null): string {
  if (roles === null) return "Former staff";
  return (roles.length === 0 ? (["owner"] as const) : roles).map((role) => findLabel(staffRoles, role)).join(", ");
}
