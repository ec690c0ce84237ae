import { Arg, Ctx, Int, Mutation, Query, Resolver } from "type-graphql";
import { defineList, findLabel, type ValueOf } from "#schema/closed-list.ts";
import { type SecurityEventType, securityEventTypes, labelSecurityValue } from "#schema/security-event.ts";
import { Allow, createType, field, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { calculateRowsCost, checkHistorySize, MAX_HISTORY_ROWS } from "#api/platform/graphql/page.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { secureAccountByLink, secureOwnAccount } from "./secure-account.ts";

const activityKinds = defineList("AccountActivityKind", "What happened in an account.", {
  SIGNED_IN: ["signed-in", "Signed in", "A sign-in succeeded."],
  SIGN_IN_FAILED: ["sign-in-failed", "Sign-in failed", "A sign-in failed or was locked."],
  SESSION_REFUSED: ["session-refused", "Session refused", "A session ended because its token was used twice."],
  TOKEN_USED: ["token-used", "Token used", "A personal access token was used. Only its last use is listed."],
  EXPORTED: ["exported", "Exported", "Data of the account was downloaded."],
  SECURED: ["secured", "Secured", "The account was secured after something that its user didn't do."],
});
type ActivityKind = ValueOf<typeof activityKinds>;

const kindOfType: Partial<Record<SecurityEventType, ActivityKind>> = {
  "sign-in.succeeded": "signed-in",
  "sign-in.failed": "sign-in-failed",
  "sign-in.locked": "sign-in-failed",
  "refresh.reused": "session-refused",
  "export.made": "exported",
  "account.secured": "secured",
};

export const AccountActivity = createType(
  "AccountActivity",
  "signedIn",
  "Something that happened in the caller's account.",
  {
    id: field.id("Unique ID."),
    at: field.moment("When it happened, in UTC."),
    kind: field.choice<ActivityKind>(activityKinds, "What happened."),
    description: field.text("What happened, such as `Signed in: Portal`."),
    address: field.text("The IP address. Empty if it isn't known."),
  },
);
export type AccountActivity = InstanceType<typeof AccountActivity>;

export const AccountActivityLog = createType(
  "AccountActivityLog",
  "signedIn",
  "The latest activity in the caller's account, newest first.",
  { rows: field.list(() => AccountActivity, "The activity.", { access: Scope("session") }) },
);
export type AccountActivityLog = InstanceType<typeof AccountActivityLog>;

export const SecuredAccountResult = createType(
  "SecuredAccountResult",
  "everyone",
  "What was ended to secure an account.",
  {
    sessionsEnded: field.integer("The number of sessions that ended."),
    tokensRevoked: field.integer("The number of personal access tokens that were revoked."),
    webhooksPaused: field.integer("The number of webhook endpoints that were turned off."),
    email: field.text("The address of the account, which gets a link for a new password."),
  },
);
export type SecuredAccountResult = InstanceType<typeof SecuredAccountResult>;

@Resolver()
export class AccountActivityResolver {
  @Allow("signedIn", { scope: "session" })
  @Query(() => AccountActivityLog, {
    description: "Returns the latest sign-ins, uses of tokens and exports in the caller's account, kept for 400 days.",
    complexity: ({ args, childComplexity }) => calculateRowsCost((args as { first: number }).first, childComplexity),
  })
  async accountActivity(
    @Arg("first", () => Int, { defaultValue: 20, description: `Number of rows, from 1 to ${MAX_HISTORY_ROWS}.` })
    first: number,
    @Ctx() context: Context,
  ): Promise<AccountActivityLog> {
    return { rows: await listActivity(context, first) };
  }

  @Allow("signedIn", { scope: "session" })
  @Mutation(() => SecuredAccountResult, {
    description:
      "Secures the caller's account after something that they didn't do: ends all other sessions, revokes personal access tokens, turns off webhook endpoints, makes the password useless, emails a link for a new one, and tells our staff. Repeating it is harmless.",
  })
  async secureMyAccount(@Ctx() context: Context): Promise<SecuredAccountResult> {
    return secureOwnAccount(context);
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => SecuredAccountResult, {
    description:
      "Secures an account with the token of an emailed link, and ends all sessions. The token then works for 30 minutes as the token of `resetPassword`.",
  })
  async secureAccountByLink(
    @Arg("token", () => String, { description: "The token of the emailed link." }) token: string,
    @Ctx() context: Context,
  ): Promise<SecuredAccountResult> {
    return secureAccountByLink(context, token);
  }
}

interface Found {
  readonly id: string;
  /** PostgreSQL's text, which `Date` parses. */
  readonly at: string;
  readonly type: SecurityEventType | "token";
  readonly address: string;
  /** Only the texts of an event's detail that are shown. */
  readonly detail: Partial<Record<"name" | "reason" | "client" | "kind", string>>;
  readonly count: number;
}

/** @throws AppError UNAUTHENTICATED; BAD_USER_INPUT for more than {@link MAX_HISTORY_ROWS} rows */
async function listActivity(context: Context, first: number): Promise<AccountActivity[]> {
  const { userId } = requireSession(context);
  checkHistorySize(first);
  const { rows } = await context.pool.query<Found>(
    `select * from (
       (select id, at, type, address, detail, count from security_events
         where user_id = $1 and actor_id is null and type = any($2) order by at desc, id desc limit $3)
       union all
       (select id, last_used_at, 'token', coalesce(last_used_ip, ''), jsonb_build_object('name', name), 1
          from personal_access_tokens where user_id = $1 and last_used_at is not null
         order by last_used_at desc limit $3)
     ) a order by at desc, id desc limit $3`,
    [userId, Object.keys(kindOfType), first],
  );
  return rows.map(({ id, at, type, address, detail, count }) => ({
    id,
    at: new Date(at),
    kind: type === "token" ? "token-used" : (kindOfType[type] ?? "signed-in"),
    description: describe(type, detail, count),
    address,
  }));
}

function describe(type: Found["type"], detail: Found["detail"], count: number): string {
  if (type === "token") return `Used the token “${detail.name ?? ""}”`;
  const field = (["reason", "client", "kind"] as const).find((name) => detail[name]);
  const label = field && labelSecurityValue(field, detail[field] ?? "");
  const times = count > 1 ? ` (${count} times)` : "";
  return `${findLabel(securityEventTypes, type)}${label ? `: ${label}` : ""}${times}`;
}
