import { Field, Int, ObjectType } from "type-graphql";
import type { Context } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { AuthenticatorApp } from "./authenticator-app.entity.ts";
import { Passkey } from "./passkey.entity.ts";
import { countRecoveryCodes } from "./recovery-codes.ts";

/** Whether and how an account signs in in two steps; never a secret. */
@ObjectType({ description: "Whether and how the caller signs in in two steps; never a secret." })
export class TwoStepState {
  @Field(() => Date, { nullable: true, description: "When it was turned on, UTC; null while it is off." })
  onSince!: Date | null;

  @Field(() => Boolean, { description: "The caller is an admin and the operator asks admins for it." })
  isRequired!: boolean;

  @Field(() => Date, { nullable: true, description: "When the authenticator app was added, UTC; null without one." })
  appAddedAt!: Date | null;

  @Field(() => [Passkey], { description: "Oldest first." })
  passkeys!: Passkey[];

  @Field(() => Int)
  recoveryCodesLeft!: number;
}

/** The state of a user's two-step sign-in. */
export async function twoStepState(context: Context, userId: string): Promise<TwoStepState> {
  const { em, config, actor } = context;
  const user = await em.findOneOrFail(User, userId);
  const app = await em.findOne(AuthenticatorApp, { user: userId });
  return {
    onSince: user.twoStepSince,
    isRequired: config.adminTwoStepRequired && actor?.role === "admin",
    appAddedAt: app?.addedAt ?? null,
    passkeys: await em.find(Passkey, { user: userId }, { orderBy: { addedAt: "asc", id: "asc" } }),
    recoveryCodesLeft: await countRecoveryCodes(em, userId),
  };
}
