import { createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { AuthenticatorApp, Passkey } from "./two-step-methods.entity.ts";
import { countRecoveryCodes } from "./recovery-codes.ts";
import type { EntityManager } from "#api/platform/database/database.ts";

export const TwoStepMethods = createType(
  "TwoStepMethods",
  "everyone",
  "The two-step methods an account has set up. Recovery codes are always available in addition.",
  {
    app: field.flag("Whether the account has an authenticator app."),
    passkey: field.flag("Whether the account has a passkey."),
  },
);
export type TwoStepMethods = InstanceType<typeof TwoStepMethods>;

export async function getTwoStepMethods(em: EntityManager, userId: string): Promise<TwoStepMethods> {
  const app = await em.count(AuthenticatorApp, { user: userId, secret: { $ne: null } });
  const passkeys = await em.count(Passkey, { user: userId });
  return { app: app > 0, passkey: passkeys > 0 };
}

/** Status of an account's two-step sign-in. Contains no secrets. */
export const TwoStepState = createType("TwoStepState", "anySession", "The status of the caller's two-step sign-in.", {
  onSince: fieldOrNull.moment("When two-step sign-in was turned on, in UTC. Null if it is off."),
  isRequired: field.flag("Whether the caller is an admin and the operator requires two-step sign-in for admins."),
  isPasskeyRequired: field.flag("Whether the caller is an admin who must have a passkey and sign in with it."),
  appAddedAt: fieldOrNull.moment("When the authenticator app was added, in UTC. Null if there is none."),
  passkeys: field.list(() => Passkey, "The account's passkeys, oldest first.", { access: Scope("session") }),
  recoveryCodesLeft: field.integer("The number of unused recovery codes."),
});
export type TwoStepState = InstanceType<typeof TwoStepState>;

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
