import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import { defineList, findLabel, type ValueOf } from "#schema/closed-list.ts";
import { type SecurityEventType, securityEventTypes, securityValueLabels } from "#schema/security-event.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { calculateRowsCost } from "#api/platform/graphql/field-costs.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { type SecuredAccount, secureAccountByLink, secureOwnAccount } from "./secure-account.ts";

const activityKinds = defineList("AccountActivityKind", "What happened in an account.", [
  { code: "SIGNED_IN", value: "signed-in", label: "Signed in", description: "A sign-in succeeded." },
  {
    code: "SIGN_IN_FAILED",
    value: "sign-in-failed",
    label: "Sign-in failed",
    description: "A sign-in failed or was locked.",
  },
  {
    code: "SESSION_REFUSED",
    value: "session-refused",
    label: "Session refused",
    description: "A session ended because its token was used twice.",
  },
  {
    code: "TOKEN_USED",
    value: "token-used",
    label: "Token used",
    description: "A personal access token was used. Only its last use is listed.",
  },
  { code: "EXPORTED", value: "exported", label: "Exported", description: "Data of the account was downloaded." },
  {
    code: "SECURED",
    value: "secured",
    label: "Secured",
    description: "The account was secured after something that its user didn't do.",
  },
] as const);
type ActivityKind = ValueOf<typeof activityKinds>;

const kindOfType: Partial<Record<SecurityEventType, ActivityKind>> = {
  "sign-in.succeeded": "signed-in",
  "sign-in.failed": "sign-in-failed",
  "sign-in.locked": "sign-in-failed",
  "refresh.reused": "session-refused",
  "export.made": "exported",
  "account.secured": "secured",
};

/** Maximum number of rows. */
const MAX_ROWS = 100;

@VisibleTo("signedIn")
@ObjectType({ description: "Something that happened in the caller's account." })
export class AccountActivity {
  @Field(() => ID, { description: "Unique ID." })
  id!: string;

  @Field(() => Date, { description: "When it happened, in UTC." })
  at!: Date;

  @Field(enumType(activityKinds), { description: "What happened." })
  kind!: ActivityKind;

  @Field(() => String, { description: "What happened, such as `Signed in: Portal`." })
  description!: string;

  @Field(() => String, { description: "The IP address. Empty if it isn't known." })
  address!: string;
}

@VisibleTo("signedIn")
@ObjectType({ description: "The latest activity in the caller's account, newest first." })
export class AccountActivityLog {
  @Scope("session")
  @Field(() => [AccountActivity], { description: "The activity." })
  rows!: AccountActivity[];
}

@VisibleTo("everyone")
@ObjectType({ description: "What was ended to secure an account." })
export class SecuredAccountResult {
  @Field(() => Int, { description: "The number of sessions that ended." })
  sessionsEnded!: number;

  @Field(() => Int, { description: "The number of personal access tokens that were revoked." })
  tokensRevoked!: number;

  @Field(() => Int, { description: "The number of webhook endpoints that were turned off." })
  webhooksPaused!: number;

  @Field(() => String, { description: "The address of the account, which gets a link for a new password." })
  email!: string;
}

@Resolver()
export class AccountActivityResolver {
  @Allow("signedIn", { scope: "session" })
  @Query(() => AccountActivityLog, {
    description: "Returns the latest sign-ins, uses of tokens and exports in the caller's account, kept for 400 days.",
    complexity: ({ args, childComplexity }) => calculateRowsCost((args as { first: number }).first, childComplexity),
  })
  async accountActivity(
    @Arg("first", () => Int, { defaultValue: 20, description: `Number of rows, from 1 to ${MAX_ROWS}.` }) first: number,
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
    return toResult(await secureOwnAccount(context));
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
    return toResult(await secureAccountByLink(context, token));
  }
}

const toResult = ({ user, ...ended }: SecuredAccount): SecuredAccountResult => ({ ...ended, email: user.email });

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

/** @throws AppError UNAUTHENTICATED; BAD_USER_INPUT for more than {@link MAX_ROWS} rows */
async function listActivity(context: Context, first: number): Promise<AccountActivity[]> {
  const { userId } = requireSession(context);
  if (first < 1 || first > MAX_ROWS) throw badInput({ first: [`Request between 1 and ${MAX_ROWS} rows.`] });
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
  const value = detail.reason ?? detail.client ?? detail.kind ?? "";
  const label = securityValueLabels[value] ?? value;
  const times = count > 1 ? ` (${count} times)` : "";
  return `${findLabel(securityEventTypes, type)}${label ? `: ${label}` : ""}${times}`;
}
