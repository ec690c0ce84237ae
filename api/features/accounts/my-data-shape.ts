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
] as const;

const facts = Type.Record(Type.String(), Type.Unknown());

/**
 * The file of a customer's data. It is for a person: which facts a row carries follows what is kept, and is no promise.
 */
export const myDataShape = Type.Unsafe<Awaited<ReturnType<typeof myData>>>(
  named("MyData", {
    writtenAt: moment,
    profile: facts,
    twoStepSignIn: facts,
    ...Object.fromEntries(listsOfMyData.map((name) => [name, Type.Array(facts)])),
  }),
);
