import type { SessionOrQuestion } from "#api/access/two-step/open-or-ask.ts";
import { sessionTokensJson, type sessionTokensShape } from "#api/access/sessions/session-tokens.type.ts";
import { type Static, Type } from "typebox";
import { Answer, type OtherAnswer } from "./frame.ts";

/** The 400 of calls that open a session, where the account is signed in to in two steps. */
export const twoStepRequired: Readonly<Record<400, OtherAnswer>> = {
  400: {
    description: "The second step is asked for: the challenge, for GrantType two_step",
    schema: Type.Object({ two_step_required: Type.Array(Type.String()) }),
    example: { two_step_required: ["c0d1…"] },
  },
};

/** Tokens, or 400 `{two_step_required: [challenge]}`, which the token call takes with GrantType two_step (decision 0016). */
export function sessionAnswer(outcome: SessionOrQuestion): Static<typeof sessionTokensShape> | Answer {
  if (outcome.kind === "signed-in") return sessionTokensJson(outcome.tokens);
  return new Answer(400, { two_step_required: [outcome.challenge] });
}
