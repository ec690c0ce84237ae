import type { EntityManager } from "#api/platform/database/database.ts";
import { Field, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { AuthenticatorApp } from "./authenticator-app.entity.ts";
import { Passkey } from "./passkey.entity.ts";

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
