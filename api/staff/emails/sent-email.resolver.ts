import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ValueOf } from "#schema/closed-list.ts";
import { emailStates } from "#schema/email.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow, createType, field } from "#api/platform/graphql/declare.ts";
import { createReadCost } from "#api/platform/graphql/page.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";

/** Emails that a user's page shows. */
const MAX_EMAILS = 10;

export const SentEmail = createType("SentEmail", "admin", "An email to a user, without its text.", {
  id: field.id("Unique ID."),
  subject: field.text("The subject line."),
  writtenAt: field.moment("When the email was written, in UTC."),
  state: field.choice<ValueOf<typeof emailStates>>(emailStates),
});
export type SentEmail = InstanceType<typeof SentEmail>;

/**
 * Returns the latest emails to the users' sign-in addresses since they registered, newest first. A registration with another
 * account's address has none, because those emails belong to the other account.
 */
const loadEmailsOfUser = createLoader(async ({ pool }: Context, userIds: readonly string[]) => {
  type Row = Omit<SentEmail, "writtenAt"> & { userId: string; writtenMs: number };
  const { rows } = await pool.query<Row>({
    name: "emails-of-users",
    text: `select u.id as "userId", m.* from users u cross join lateral (
             select id, subject, (extract(epoch from created_at) * 1000)::float8 as "writtenMs",
                    case when refused_at is not null then 'refused' when sent_at is not null then 'sent' else 'waiting' end as state
               from mails where lower("to") = u.sign_in_email and created_at >= u.registered_at
              order by number desc limit ${MAX_EMAILS}) m
            where u.id = any($1::uuid[])`,
    values: [userIds],
  });
  return userIds.map((id) =>
    rows
      .filter(({ userId }) => userId === id)
      .map(({ writtenMs, ...email }): SentEmail => ({ ...email, writtenAt: new Date(writtenMs) })),
  );
});

@Resolver(() => User)
export class SentEmailResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => [SentEmail], {
    description: `The latest emails to the user's address, newest first, with their delivery. At most ${MAX_EMAILS}.`,
    complexity: createReadCost(20),
  })
  async emails(@Root() user: User, @Ctx() context: Context): Promise<SentEmail[]> {
    return loadEmailsOfUser(context, user.id);
  }
}
