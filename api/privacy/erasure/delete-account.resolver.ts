import { Arg, Ctx, Field, InputType, Mutation, Resolver } from "type-graphql";
import { deleteAccountRules } from "#schema/rules/account.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { limitTries } from "#api/platform/limit-tries.ts";
import { isPassword } from "#api/access/sessions/password.ts";
import { requestErasure } from "./request-erasure.ts";
import { runErasure } from "./run-erasure.ts";
import { cancelAtProvider } from "#api/selling/subscriptions/cancel-for-closed-account.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Most accounts are erased within this time, before the caller has an answer; the job goes on with the others. */
const AT_ONCE_MS = 1_000;

/**
 * Closes the caller's account for good and starts erasing everything personal; a small account is erased when this
 * returns. An email with the certificate follows the last row (decision 0015).
 * @throws AppError UNAUTHENTICATED, BAD_USER_INPUT for a wrong password, RATE_LIMITED after 5 wrong ones in 15 minutes.
 */
export async function deleteAccount(context: Context, values: { password: string }): Promise<void> {
  const { actor } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  await limitTries(context, [["deleteAccount", actor.userId]], async (countTry) => {
    const known = await context.em.findOneOrFail(User, actor.userId, { populate: ["passwordHash"] });
    if (await isPassword(known.passwordHash, values.password)) return;
    countTry();
    throw badInput({ password: ["Your password is incorrect."] });
  });
  const { id } = await requestErasure(context, actor.userId, "customer");
  await cancelAtProvider(context, actor.userId);
  // The account is closed whatever comes of this, and the job is queued.
  await runErasure(context, id, { forMs: AT_ONCE_MS }).catch((error: unknown) =>
    context.log.warn({ err: error, erasureId: id }, "An erasure will go on in its job."),
  );
}

@InputType()
export class DeleteMyAccountInput {
  @Field(() => String, { description: "The password again." })
  password!: string;
}

@Resolver()
export class DeleteAccountResolver {
  @Allow("customer")
  @Check({ input: deleteAccountRules })
  @Mutation(() => Boolean, {
    description:
      "Closes the caller's account for good, ends its sessions and licences, and starts erasing everything personal. Answers once the account is closed; an email with a certificate follows when everything is erased.",
  })
  async deleteMyAccount(
    @Arg("input", () => DeleteMyAccountInput) input: DeleteMyAccountInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await deleteAccount(context, input);
    return true;
  }
}
