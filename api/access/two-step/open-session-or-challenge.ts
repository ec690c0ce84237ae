import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { type ClientId, openSession, type SessionTokens } from "#api/access/sessions/open-session.ts";
import { createSignInChallenge } from "./challenges.ts";
import { getTwoStepMethods, type TwoStepMethods } from "./two-step-state.ts";
import { acceptsAppCodes } from "./second-factor.ts";

/** A new session, or the challenge for the second step if the account uses two-step sign-in. */
export type SessionOrChallenge =
  | { kind: "signed-in"; tokens: SessionTokens }
  | { kind: "two-step"; challenge: string; methods: TwoStepMethods };

/** Message returned with the challenge. */
export const SECOND_STEP_REQUIRED = "Your account uses two-step sign-in. Continue with the second step.";

/**
 * Opens a session, or creates a challenge for the second step if the account uses two-step sign-in. All sign-in paths
 * end here. Runs in the transaction of `em`.
 */
export async function openSessionOrChallenge(
  context: Context,
  em: EntityManager,
  user: User,
  clientId: ClientId,
): Promise<SessionOrChallenge> {
  if (!user.twoStepSince) return { kind: "signed-in", tokens: await openSession(context, em, user, clientId) };
  const { app, passkey } = await getTwoStepMethods(em, user.id);
  const methods = { app: app && (await acceptsAppCodes(context, em, user)), passkey };
  return { kind: "two-step", challenge: createSignInChallenge(context, em, user, clientId), methods };
}
