import type { Actor, Context } from "#api/platform/context.ts";
import { AppError, sessionOnly } from "#api/platform/errors.ts";

/** Safeguards of a class of harm. */
interface HarmRule {
  readonly meaning: string;
  /** Needs proof of the caller's identity within the last 10 minutes. */
  readonly needsProof: boolean;
  /** Closed to personal access tokens, whatever their scopes. */
  readonly refusesTokens: boolean;
}

/** The kinds of harm that an operation can do in the wrong hands (decision 0070), the least first. */
export const harmRules = {
  none: { meaning: "Reads single accounts or lists", needsProof: false, refusesTokens: false },
  own: { meaning: "Changes what belongs to the caller", needsProof: false, refusesTokens: false },
  others: { meaning: "Changes what belongs to one other user", needsProof: false, refusesTokens: false },
  mass: { meaning: "Exports or changes many accounts", needsProof: true, refusesTokens: false },
  money: { meaning: "Charges, refunds, or gives away what is sold", needsProof: true, refusesTokens: true },
  access: { meaning: "Decides who can get into an account", needsProof: true, refusesTokens: true },
  release: { meaning: "Decides which build customers install", needsProof: true, refusesTokens: true },
  destroy: { meaning: "Closes accounts and licences, or erases data", needsProof: true, refusesTokens: true },
} as const satisfies Readonly<Record<string, HarmRule>>;

export type Harm = keyof typeof harmRules;

/**
 * Checks that the caller may do this kind of harm.
 * @throws AppError STEP_UP_REQUIRED without a recent proof of identity; FORBIDDEN with the reason SESSION_ONLY for
 * personal access tokens
 */
export function requireSafeguards(harm: Harm, actor: Actor | null): void {
  const { needsProof, refusesTokens } = harmRules[harm];
  // The proof of a token was given when it was created.
  if (needsProof && (refusesTokens || !actor?.token)) requireRecentProof({ actor });
}

/**
 * Checks that the caller proved their identity in this session in the last 10 minutes, by signing in or with
 * `proveIdentity` (decision 0059). Internal work without a caller passes.
 * @throws AppError STEP_UP_REQUIRED; FORBIDDEN with the reason SESSION_ONLY for personal access tokens, which can't prove
 * an identity
 */
export function requireRecentProof({ actor }: Pick<Context, "actor">): void {
  if (!actor) return;
  if (actor.token) throw sessionOnly();
  if (!actor.hasRecentProof) throw new AppError("STEP_UP_REQUIRED");
}
