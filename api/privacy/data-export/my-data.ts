import { Type } from "typebox";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { moment, namedObject, routesOf } from "#api/platform/http/define-route.ts";
import { exportSections } from "#api/privacy/personal-data.ts";

/** Sections that contain a single record. All others are lists, newest rows first. */
const records = ["profile", "twoStepSignIn"];

const facts = Type.Record(Type.String(), Type.Unknown());

/** The data export of a customer. It is meant for people to read, so the fields of a row are not a stable API. */
const myDataShape = Type.Unsafe<{ readonly writtenAt: Date }>(
  namedObject("MyData", {
    writtenAt: moment,
    ...Object.fromEntries(
      Object.keys(exportSections).map((name) => [name, records.includes(name) ? facts : Type.Array(facts)]),
    ),
  }),
);

/** Example of an export for a new account. */
const myDataExample = {
  writtenAt: "2025-03-05T01:00:00.000Z",
  ...Object.fromEntries(Object.keys(exportSections).map((name) => [name, []])),
  profile: { firstName: "Ada" },
  twoStepSignIn: { onSince: null, authenticatorAppAddedAt: null, passkeys: [], recoveryCodesLeft: 0 },
};

/**
 * Returns all data stored about the caller, with labels instead of codes, times in ISO 8601 UTC, and without secrets,
 * hashes or tokens.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED after 10 an hour
 */
async function exportMyData(context: Context) {
  const { clock, rateLimits } = context;
  const actor = requireActor(context);
  await rateLimits.take("myData", actor.userId);
  const sections: Record<string, object> = {};
  // Sections are read one after another, because a request must not use more than one database connection.
  for (const [name, read] of Object.entries(exportSections)) sections[name] = await read(context, { id: actor.userId });
  reportSecurityEvent(context, {
    type: "export.made",
    userId: actor.userId,
    detail: { kind: "my-data", format: "json" },
  });
  return { writtenAt: clock.now(), ...sections };
}

const defineRoute = routesOf("Accounts");

/** Call for downloading the caller's own data. */
export const myDataRoutes = [
  defineRoute("GET /v1/core/accounts/my-data", {
    allow: { audience: "customer", scope: "session", viewers: "refused" },
    summary: "Download your data. Returns a JSON file with everything stored about the signed-in customer",
    headers: { "content-disposition": 'attachment; filename="my-data.json"' },
    isExport: true,
    response: myDataShape,
    example: myDataExample,
    handler: async ({ context }) => exportMyData(context),
  }),
];
