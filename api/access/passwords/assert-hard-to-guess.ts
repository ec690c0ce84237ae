import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { brand } from "#schema/brand.ts";
import { COMMON_PASSWORD_MESSAGE, type PasswordOwner } from "#schema/password.ts";
import { badInput } from "#api/platform/errors.ts";

/** Guesses, as a power of ten, below which a predictable password is rejected. */
const FEWEST_GUESSES = 8.5;

/** Part of a password that consists of words, years, keyboard rows and the like, from which on it is predictable. */
const PREDICTABLE_PART = 0.6;

/** The estimator takes longer for longer texts, and no text of this length with a strong start is easy to guess. */
const MAX_ESTIMATED_LENGTH = 32;

/** The estimator with its lists of stolen passwords, English words and names. Loaded when first needed. */
let estimator: Promise<ZxcvbnFactory> | undefined;

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
  });
}

/**
 * Throws if a new password is a stolen one, or mostly consists of words, years, names, the owner's details or keyboard rows
 * and can be guessed (docs/domain.md#passwords). A random password is accepted in any length that the rule allows. Everything
 * that accepts a new password calls it.
 * @throws AppError BAD_USER_INPUT under `password`.
 */
export async function assertHardToGuess(password: string, owner: PasswordOwner = {}): Promise<void> {
  estimator ??= loadEstimator();
  const { email = "", firstName = "", lastName = "", companyName = "" } = owner;
  const details = [email, firstName, lastName, companyName, brand.name, brand.productName];
  const words = details
    .flatMap((detail) => [detail, ...detail.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length >= 3);
  const text = password.slice(0, MAX_ESTIMATED_LENGTH);
  const { guessesLog10, sequence } = (await estimator).check(text, words);
  if (guessesLog10 >= FEWEST_GUESSES) return;
  const known = sequence.reduce(
    (sum, { pattern, token }) => sum + (pattern === "bruteforce" ? countYear(token) : token.length),
    0,
  );
  if (known >= PREDICTABLE_PART * text.length) throw badInput({ password: [COMMON_PASSWORD_MESSAGE] });
}

const countYear = (token: string): number => (/(?:19|20)\d\d/.test(token) ? 4 : 0);
