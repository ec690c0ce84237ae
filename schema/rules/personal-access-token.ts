import { array, type InferType, number, object, string } from "yup";
import { isAddressOrNetwork, splitNetworks } from "#schema/networks.ts";
import { MAX_TOKEN_DAYS, MAX_TOKEN_NETWORKS, type Scope, scopeNames, scopes } from "#schema/scopes.ts";
import { line } from "./text.ts";

const SCOPE_UNKNOWN = "Scope is not one of the list.";
const EXPIRY_WRONG = `Expiry must be a whole number of days from 1 to ${MAX_TOKEN_DAYS}.`;

const NETWORK_WRONG = "List IP addresses and networks, such as 203.0.113.0/24 or 2001:db8::/48.";

const isNetwork = (text: string): boolean => isAddressOrNetwork(text);

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
  networks: array()
    .of(string().strict().typeError(NETWORK_WRONG).required(NETWORK_WRONG).test("network", NETWORK_WRONG, isNetwork))
    .typeError(NETWORK_WRONG)
    .transform((value: unknown, given: unknown) =>
      // The form has one text for all networks.
      typeof given === "string"
        ? splitNetworks(given)
        : Array.isArray(value)
          ? [...new Set(value as unknown[])]
          : value,
    )
    .max(MAX_TOKEN_NETWORKS, `List at most ${MAX_TOKEN_NETWORKS} networks.`)
    .default([]),
  expiresInDays: number()
    .typeError(EXPIRY_WRONG)
    .integer(EXPIRY_WRONG)
    .min(1, EXPIRY_WRONG)
    .max(MAX_TOKEN_DAYS, EXPIRY_WRONG)
    .required("Expiry is required."),
});
export type PersonalAccessTokenValues = InferType<typeof personalAccessTokenRules>;
