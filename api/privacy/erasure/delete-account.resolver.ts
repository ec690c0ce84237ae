import { Ctx, Mutation, Resolver } from "type-graphql";
import type { InferType } from "yup";
import { deleteAccountRules } from "#schema/account.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { requireRecentProof } from "#api/platform/graphql/harm.ts";
import { verifyPassword } from "#api/access/sessions/password.ts";
import { limitPasswordChecks } from "#api/access/sessions/sign-in-limits.ts";
import { requestErasure } from "./request-erasure.ts";
import { runErasure } from "./run-erasure.ts";
import { cancelAtProvider } from "#api/billing/subscriptions/cancel-for-closed-account.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DeletedObject } from "#api/platform/graphql/create-type.ts";

/**
 * Maximum time, in milliseconds, spent erasing before the response is sent. It is enough for most accounts. The job
 * finishes the others.
 */
const INLINE_ERASURE_MS = 1_000;

/**
 * Closes the caller's account permanently and starts erasing all personal data. A small account is fully erased when
 * this returns. An email with the certificate follows when everything is erased (decision 0015).
 * @throws AppError UNAUTHENTICATED, BAD_USER_INPUT for a wrong password, RATE_LIMITED after 5 wrong passwords in 15
 * minutes, STEP_UP_REQUIRED if two-step sign-in is on and the proof is too old.
 */
export async function deleteAccount(context: Context, values: { password: string }): Promise<void> {
  const { actor } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  await limitPasswordChecks(context, [["deleteAccount", actor.userId]], async (countTry) => {
    const known = await context.em.findOneOrFail(User, actor.userId, { populate: ["passwordHash"] });
    // Without two-step sign-in, the password is the proof.
    if (known.twoStepSince) requireRecentProof(context);
    if (await verifyPassword(known.passwordHash, values.password, context)) return;
    countTry();
    throw badInput({ password: ["Your password is incorrect."] });
  });
  const { id } = await requestErasure(context, actor.userId, "customer");
  await cancelAtProvider(context, actor.userId);
  // The account is already closed and the job is queued, so a failure here only delays the erasure.
  await runErasure(context, id, { maxMs: INLINE_ERASURE_MS }).catch((error: unknown) =>
    context.log.warn({ err: error, erasureId: id }, "Erasure will continue in its job."),
  );
}

const DeleteMyAccountInput = createInput("DeleteMyAccountInput", deleteAccountRules, {
  description: "Confirms that the account is to be deleted.",
  fields: { password: "The caller's password." },
});

@Resolver()
export class DeleteAccountResolver {
  @Allow("customer", { scope: "session", proof: "conditional" })
  @Mutation(() => DeletedObject, {
    description:
      "Closes the caller's account permanently, ends its sessions and licences, and starts erasing all personal data. Returns when the account is closed. An email with a certificate follows when everything is erased.",
  })
  async deleteMyAccount(
    @CheckedArg("input", DeleteMyAccountInput) input: InferType<typeof deleteAccountRules>,
    @Ctx() context: Context,
  ): Promise<DeletedObject> {
    const { userId } = requireActor(context);
    await deleteAccount(context, input);
    return { id: userId };
  }
}
