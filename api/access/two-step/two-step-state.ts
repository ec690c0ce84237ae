import { Field, Int, ObjectType } from "type-graphql";
import { Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { AuthenticatorApp } from "./authenticator-app.entity.ts";
import { Passkey } from "./passkey.entity.ts";
import { countRecoveryCodes } from "./recovery-codes.ts";

/** Status of an account's two-step sign-in. Contains no secrets. */
@VisibleTo("anySession")
@ObjectType({ description: "The status of the caller's two-step sign-in." })
export class TwoStepState {
  @Field(() => Date, { nullable: true, description: "When two-step sign-in was turned on, in UTC. Null if it is off." })
  onSince!: Date | null;

  @Field(() => Boolean, {
    description: "Whether the caller is an admin and the operator requires two-step sign-in for admins.",
  })
  isRequired!: boolean;

  @Field(() => Boolean, {
    description: "Whether the caller is an admin who must have a passkey and sign in with it.",
  })
  isPasskeyRequired!: boolean;

  @Field(() => Date, {
    nullable: true,
    description: "When the authenticator app was added, in UTC. Null if there is none.",
  })
  appAddedAt!: Date | null;

  @Scope("session")
  @Field(() => [Passkey], { description: "The account's passkeys, oldest first." })
  passkeys!: Passkey[];

  @Field(() => Int, { description: "The number of unused recovery codes." })
  recoveryCodesLeft!: number;
}

export async function getTwoStepState(context: Context, userId: string): Promise<TwoStepState> {
  const { em, config, actor } = context;
  const user = await em.findOneOrFail(User, userId);
  const app = await em.findOne(AuthenticatorApp, { user: userId });
  return {
    onSince: user.twoStepSince,
    isPasskeyRequired: config.adminPasskeyRequired && actor?.role === "admin",
    isRequired: config.adminTwoStepRequired && actor?.role === "admin",
    appAddedAt: app?.addedAt ?? null,
    passkeys: await em.find(Passkey, { user: userId }, { orderBy: { addedAt: "asc", id: "asc" } }),
    recoveryCodesLeft: await countRecoveryCodes(em, userId),
  };
}
