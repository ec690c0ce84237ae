import { inTransaction } from "#api/platform/transactions.ts";
import { Arg, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { costOfRows } from "#api/platform/field-costs.ts";
import { User } from "#api/people/users/user.entity.ts";
import { endAllButThisSession, endOwnSession, listSessionsOf } from "./own-sessions.ts";
import { deviceInWords } from "./user-agent.ts";
import { AppError } from "#api/platform/errors.ts";
import { holdUser } from "#api/people/users/get-user.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { endOtherSessions } from "./end-session.ts";

@ObjectType({ description: "One sign-in on one browser or program." })
export class UserSession {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: "Browser and system in words, such as 'Chrome on Windows'." })
  browser!: string;

  @Field(() => String, { description: "The address it signed in from." })
  ip!: string;

  @Field(() => Date, { description: "UTC." })
  signedInAt!: Date;

  @Field(() => Date, { description: "UTC." })
  lastUsedAt!: Date;

  @Field(() => Boolean, { description: "Whether this is the session that asks." })
  isCurrent!: boolean;
}

/** Sessions a user is assumed to have, in the cost of an operation. */
const USUAL_SESSIONS = 10;

@Resolver(() => User)
export class SessionResolver {
  @Allow("signedIn")
  @FieldResolver(() => [UserSession], {
    description: "Where the user is signed in, to themselves and to admins.",
    complexity: ({ childComplexity }) => costOfRows(USUAL_SESSIONS, 1 + childComplexity),
  })
  async sessions(@Root() user: User, @Ctx() context: Context): Promise<UserSession[]> {
    const sessions = await listSessionsOf(context, user.id);
    return sessions.map(({ id, userAgent, ip, createdAt, lastUsedAt }) => ({
      id,
      browser: deviceInWords(userAgent),
      ip,
      signedInAt: createdAt,
      lastUsedAt,
      isCurrent: id === context.actor?.sessionId,
    }));
  }

  @Allow("signedIn")
  @Mutation(() => Boolean, { description: "Ends one of the caller's sessions at once." })
  async endSession(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<boolean> {
    await endOwnSession(context, id);
    return true;
  }

  @Allow("signedIn")
  @Mutation(() => Int, { description: "Ends all of the caller's sessions but this one; answers how many." })
  async endOtherSessions(@Ctx() context: Context): Promise<number> {
    return endAllButThisSession(context);
  }

  @Allow("admin")
  @Mutation(() => Int, { description: "Signs a user out everywhere; answers how many sessions were ended." })
  async endSessionsOf(@Arg("userId", () => ID) userId: string, @Ctx() context: Context): Promise<number> {
    return endSessionsOf(context, userId);
  }
}

/**
 * Signs a user out everywhere, as an admin; the session that asks goes on when it is their own account.
 * @returns how many sessions were ended.
 * @throws AppError UNAUTHENTICATED; NOT_FOUND, alike for unknown and malformed ids; CONFLICT for an account that its
 * owner deleted, whose name must not come into the audit log again.
 */
async function endSessionsOf(context: Context, userId: string): Promise<number> {
  const { actor } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  return inTransaction(context, async (em) => {
    await holdUser(em, userId);
    const user = await em.findOneOrFail(User, userId);
    const ended = await endOtherSessions(context, em, user.id, actor.sessionId);
    if (ended > 0)
      await noteChange(context, em, {
        action: "end-sessions",
        subject: { type: "user", id: user.id, name: `${user.firstName} ${user.lastName}` },
        userId: user.id,
        after: { sessionsEnded: ended },
      });
    return ended;
  });
}
