import { Type } from "typebox";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { moment, named } from "#api/platform/json-shapes.ts";
import { exportSections } from "#api/privacy/personal-data.ts";

/** Sections that are one record; the others are lists, newest rows first. */
const records = ["profile", "twoStepSignIn"];

const facts = Type.Record(Type.String(), Type.Unknown());

/**
 * The file of a customer's data. It is for a person: which facts a row carries follows what is kept, and is no promise.
 */
export const myDataShape = Type.Unsafe<{ readonly writtenAt: Date }>(
  named("MyData", {
    writtenAt: moment,
    ...Object.fromEntries(
      Object.keys(exportSections).map((name) => [name, records.includes(name) ? facts : Type.Array(facts)]),
    ),
  }),
);

/** An example of the file: an account that has done nothing yet. */
export const myDataExample = {
  writtenAt: "2025-03-05T01:00:00.000Z",
  ...Object.fromEntries(Object.keys(exportSections).map((name) => [name, []])),
  profile: { firstName: "Ada" },
  twoStepSignIn: { onSince: null, authenticatorAppAddedAt: null, passkeys: [], recoveryCodesLeft: 0 },
};

/**
 * Returns everything kept about the caller, in words and ISO 8601 UTC, without secrets, hashes or tokens.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED after 10 an hour
 */
export async function myData(context: Context) {
  const { actor, clock, rateLimits } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  await rateLimits.take("myData", actor.userId);
  const sections: Record<string, object> = {};
  // One after the other: an answer must not take more than one connection.
  for (const [name, read] of Object.entries(exportSections)) sections[name] = await read(context, { id: actor.userId });
  return { writtenAt: clock.now(), ...sections };
}
