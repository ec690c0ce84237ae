import type { EntityManager } from "#api/platform/database.ts";
import { Field, ObjectType } from "type-graphql";
import { AuthenticatorApp } from "./authenticator-app.entity.ts";
import { Passkey } from "./passkey.entity.ts";

/** By what an account can prove the second step; recovery codes always go with them. */
@ObjectType({ description: "By what an account can prove the second step; recovery codes always go with them." })
export class TwoStepMethods {
  @Field(() => Boolean)
  app!: boolean;

  @Field(() => Boolean)
  passkey!: boolean;
}

/** The methods of an account. */
export async function methodsOf(em: EntityManager, userId: string): Promise<TwoStepMethods> {
  const app = await em.count(AuthenticatorApp, { user: userId, secret: { $ne: null } });
  const passkeys = await em.count(Passkey, { user: userId });
  return { app: app > 0, passkey: passkeys > 0 };
}
