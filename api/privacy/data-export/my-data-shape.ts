import { Type } from "typebox";
import { moment, named } from "#api/platform/json-shapes.ts";
import type { myData } from "./my-data.ts";

/** Lists of the file of a customer's data, newest rows first. */
export const listsOfMyData = [
  "licences",
  "sessions",
  "deactivations",
  "seats",
  "conversions",
  "licenceEvents",
  "deviceAuthorizations",
  "moveCodes",
  "taxInvoices",
  "promoCodes",
  "bulkWork",
  "savedReports",
  "mails",
  "contactMessages",
  "staffComments",
  "personalAccessTokens",
  "webhookEndpoints",
] as const satisfies readonly (keyof MyData)[];

type MyData = Awaited<ReturnType<typeof myData>>;
/** A list of the file that is not named above does not compile. */
type Unnamed = Exclude<keyof MyData, (typeof listsOfMyData)[number] | "writtenAt" | "profile" | "twoStepSignIn">;
const unnamed: Unnamed extends never ? true : never = true;
void unnamed;

const facts = Type.Record(Type.String(), Type.Unknown());

/**
 * The file of a customer's data. It is for a person: which facts a row carries follows what is kept, and is no promise.
 */
export const myDataShape = Type.Unsafe<MyData>(
  named("MyData", {
    writtenAt: moment,
    profile: facts,
    twoStepSignIn: facts,
    ...Object.fromEntries(listsOfMyData.map((name) => [name, Type.Array(facts)])),
  }),
);
