import { Field, Int, ObjectType } from "type-graphql";
import { Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { AuthenticatorApp } from "./authenticator-app.entity.ts";
import { Passkey } from "./passkey.entity.ts";
import { countRecoveryCodes } from "./recovery-codes.ts";
import type { EntityManager } from "#api/platform/database/database.ts";

/** Two-step methods that an account has set up. Recovery codes are always available in addition. */
@VisibleTo("everyone")
@ObjectType({
  description: "The two-step methods an account has set up. Recovery codes are always available in addition.",
})
export class TwoStepMethods {
  @Field(() => Boolean, { description: "Whether the account has an authenticator app." })
  app!: boolean;

  @Field(() => Boolean, { description: "Whether the account has a passkey." })
  passkey!: boolean;
}

export async function getTwoStepMethods(em: EntityManager, userId: string): Promise<TwoStepMethods> {
  const app = await em.count(AuthenticatorApp, { user: userId, secret: { $ne: null } });
  const passkeys = await em.count(Passkey, { user: userId });
  return { app: app > 0, passkey: passkeys > 0 };
}

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
