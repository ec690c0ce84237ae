import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { Allow, createType, DeletedObject, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { isUuid } from "#api/platform/validate.ts";
import { Erasure } from "./erasure.entity.ts";
import { erasureParts } from "#api/privacy/personal-data.ts";
import { loadUserById, User } from "#api/people/users/user.entity.ts";
import { requestErasure } from "./request-erasure.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { erasureEffects } from "#schema/erasure.ts";
import type { InferType } from "yup";
import { deleteAccountRules } from "#schema/account.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { badInput } from "#api/platform/errors.ts";
import { requireRecentProof } from "#api/platform/graphql/harm.ts";
import { verifyPassword } from "#api/access/sessions/password.ts";
import { limitPasswordChecks } from "#api/access/sessions/sign-in-limits.ts";
import { reportProof } from "#api/access/two-step/prove-identity.ts";
import { runErasure } from "./run-erasure.ts";
import { cancelAtProvider } from "#api/billing/subscriptions/cancel-for-closed-account.ts";

export const ErasureProgress = createType(
  "ErasureProgress",
  "admin",
  "The progress of erasing one kind of personal data.",
  {
    name: field.text("The machine-readable name of the data, such as `licence-events`."),
    title: field.text("The display name of the data, such as `Licence events`."),
    rows: field.integer("The number of rows erased so far."),
    isDone: field.flag("Whether this part is finished."),
  },
);
export type ErasureProgress = InstanceType<typeof ErasureProgress>;

export const ErasedRows = createType(
  "ErasedRows",
  "admin",
  "The rows of one kind of personal data that an erasure removed.",
  {
    name: field.text("The machine-readable name of the data, such as `licence-events`."),
    title: field.text("The display name of the data, such as `Licence events`."),
    effect: field.choice(erasureEffects, "The effect of the erasure on the rows."),
    rows: field.integer("The number of rows erased."),
  },
);

export const KeptRows = createType("KeptRows", "admin", "Rows that are kept about an erased user, with the reason.", {
  title: field.text("The display name of the data, such as `Tax invoices and adjustment notes`."),
  rows: field.integer("The number of rows kept."),
  reason: field.text("The reason the rows are kept."),
});

export const ErasureCertificate = createType(
  "ErasureCertificate",
  "admin",
  "Proof of an erasure. It contains no personal data.",
  {
    id: field.id("The ID of the erasure."),
    emailHash: fieldOrNull.text("The salted SHA-256 hash of the email address."),
    requestedAt: field.moment("The date and time of the request, in UTC."),
    finishedAt: field.moment("The date and time the erasure finished, in UTC."),
    erased: field.list(() => ErasedRows, "The data that was erased.", { access: Scope("users:read") }),
    kept: field.list(() => KeptRows, "The data that is kept.", { access: Scope("users:read") }),
  },
);
export type ErasureCertificate = InstanceType<typeof ErasureCertificate>;

@Resolver(() => Erasure)
export class ErasureResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @Query(() => Erasure, {
    nullable: true,
    description: "Returns the erasure of a user, or null if none was requested.",
  })
  async erasure(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<Erasure | null> {
    return isUuid(userId) ? context.em.findOne(Erasure, { user: userId }) : null;
  }

  @Allow("admin", { roles: [], harm: "destroy" })
  @Mutation(() => Erasure, {
    description:
      "Closes a user's account permanently and erases all personal data in the background. This can't be undone. Repeating the call returns the same erasure.",
  })
  eraseUser(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<Erasure> {
    return requestErasure(context, userId, "staff");
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => ID, { description: "The erased user." })
  userId(@Root() erasure: Erasure): string {
    return erasure.user.id;
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { nullable: true, description: "The erased user, without personal data." })
  async user(@Root() erasure: Erasure, @Ctx() context: Context): Promise<User | null> {
    return loadUserById(context, erasure.user.id);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, {
    nullable: true,
    description: "The admin who requested the erasure. Null for customers and operators.",
  })
  async admin(@Root() { requestedById }: Erasure, @Ctx() context: Context): Promise<User | null> {
    return requestedById === null ? null : loadUserById(context, requestedById);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => [ErasureProgress], {
    description: "The progress of each part, in the order in which the parts run.",
  })
  progress(@Root() erasure: Erasure): ErasureProgress[] {
    return erasureParts.map(({ name, title }) => {
      const { rows = 0, isDone = false } = erasure.progress[name] ?? {};
      return { name, title, rows, isDone };
    });
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => ErasureCertificate, {
    nullable: true,
    description: "The certificate of the erasure. Null until the erasure is done.",
  })
  certificate(@Root() { certificate }: Erasure): ErasureCertificate | null {
    if (!certificate) return null;
    return {
      ...certificate,
      requestedAt: new Date(certificate.requestedAt),
      finishedAt: new Date(certificate.finishedAt),
      erased: [...certificate.erased],
      kept: [...certificate.kept],
    };
  }
}

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
  const actor = requireActor(context);
  await limitPasswordChecks(context, [["deleteAccount", actor.userId]], async (countTry) => {
    const known = await context.em.findOneOrFail(User, actor.userId, { populate: ["passwordHash"] });
    // Without two-step sign-in, the password is the proof.
    if (known.twoStepSince) requireRecentProof(context);
    if (await verifyPassword(known.passwordHash, values.password, context)) return;
    countTry();
    reportProof(context, "step-up.failed", "password");
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
