import type { SessionOrQuestion } from "#api/features/two-step/open-or-ask.ts";
import { sessionTokensJson } from "#api/features/auth/session-tokens.type.ts";
import { Answer } from "./frame.ts";

/** Tokens, or 400 `{two_step_required: [challenge]}`, which the token call takes with GrantType two_step (decision 0016). */
export function sessionAnswer(outcome: SessionOrQuestion): unknown {
  if (outcome.kind === "signed-in") return sessionTokensJson(outcome.tokens);
  return new Answer(400, { two_step_required: [outcome.challenge] });
}
