import { array, type InferType, number, object, string } from "yup";
import { MAX_TOKEN_DAYS, type Scope, scopeNames, scopes } from "#schema/scopes.ts";
import { line } from "#schema/text.ts";

const SCOPE_UNKNOWN = "Scope is not one of the list.";
const EXPIRY_WRONG = `Expiry must be a whole number of days from 1 to ${MAX_TOKEN_DAYS}.`;

/** Rules for a new personal access token. The API also checks whether the owner's role allows the scopes. */
export const personalAccessTokenRules = object({
  name: line(80, "Name is too long.").required("Name is required."),
  scopes: array()
    .of(
      string<Scope>()
        .strict()
        .typeError(SCOPE_UNKNOWN)
        .oneOf(scopeNames, SCOPE_UNKNOWN)
        .required(SCOPE_UNKNOWN)
        .meta({ list: () => scopes }),
    )
    .typeError("Scopes must be a list.")
    .transform((value: unknown) => (Array.isArray(value) ? [...new Set(value as unknown[])] : value))
    .min(1, "Choose at least one scope.")
    .max(scopeNames.length, SCOPE_UNKNOWN)
    .required("Choose at least one scope."),
  expiresInDays: number()
    .typeError(EXPIRY_WRONG)
    .integer(EXPIRY_WRONG)
    .min(1, EXPIRY_WRONG)
    .max(MAX_TOKEN_DAYS, EXPIRY_WRONG)
    .required("Expiry is required."),
});
export type PersonalAccessTokenValues = InferType<typeof personalAccessTokenRules>;
