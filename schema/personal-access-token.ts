import { array, type InferType, object, string } from "yup";
import { defineList, findEntry, type ListEntry, listValues, type ValueOf } from "./closed-list.ts";
import { type Role, roles as everyRole } from "./roles.ts";
import { isAddressOrNetwork, line, numeric, splitNetworks } from "./text.ts";

interface ScopeEntry extends ListEntry<string> {
  readonly forAdmins?: string;
  /** Roles that can be granted the scope. */
  readonly roles: readonly Role[];
}

const staff = ["admin"] as const;
/**
 * Roles that can manage webhooks with a token. An admin's endpoints receive events for every customer, so admins set
 * them up only while signed in.
 */
const customers = ["regular", "corporate"] as const;

/**
 * Scopes of personal access tokens, in the order they are offered. Read and write are separate: a write scope doesn't
 * include reading. `api/app/permissions.ts` defines which call needs which scope. Owners of tokens see the description, or
 * `forAdmins` if they are admins and the scope covers more than their own account.
 */
export const scopes = defineList("TokenScope", "A permission of a personal access token.", {
  LICENCES_READ: [
    "licences:read",
    "Read licences",
    "See your licences with their codes, devices, seats and history.",
    { roles: everyRole, forAdmins: "See every licence with its code, devices, seats and history." },
  ],
  LICENCES_WRITE: [
    "licences:write",
    "Manage licences",
    "Activate devices offline and deactivate devices. These deactivations count towards your yearly limit.",
    {
      roles: everyRole,
      forAdmins:
        "Reinstate licences, deactivate devices, release seats and handle signs of a leak. Licences are added, changed and deactivated in the portal.",
    },
  ],
  PROFILE_READ: [
    "profile:read",
    "Read profile",
    "See your name, email address, company and postal address.",
    { roles: everyRole },
  ],
  BILLING_READ: [
    "billing:read",
    "Read billing",
    "See your subscription, prices and tax invoices. Nothing can be bought or cancelled.",
    { roles: everyRole, forAdmins: "See users' subscriptions and tax invoices. Nothing can be bought or cancelled." },
  ],
  USERS_READ: [
    "users:read",
    "Read users",
    "Find every user and see their details, contacts, comments and timeline.",
    { roles: staff },
  ],
  USERS_WRITE: [
    "users:write",
    "Manage users",
    "Change customers, with contacts and comments, but not email addresses. Accounts are created, archived and restored in the portal.",
    { roles: staff },
  ],
  PROMO_CODES_READ: ["promo-codes:read", "Read promo codes", "See every promo code and its uses.", { roles: staff }],
  PROMO_CODES_WRITE: [
    "promo-codes:write",
    "Delete promo codes",
    "Delete promo codes. They are added and changed in the portal.",
    { roles: staff },
  ],
  REPORTS_READ: [
    "reports:read",
    "Read reports",
    "Download reports, including one with licence codes. See the dashboard, the items that need attention and the audit log.",
    { roles: staff },
  ],
  SOFTWARE_READ: [
    "software:read",
    "Read software",
    "See the installers you can download.",
    { roles: everyRole, forAdmins: "See every build of the add-in, with its files and downloads." },
  ],
  SOFTWARE_WRITE: [
    "software:write",
    "Manage software",
    "Upload builds and delete drafts. Builds are published and withdrawn in the portal.",
    { roles: staff },
  ],
  WEBHOOKS_READ: [
    "webhooks:read",
    "Read webhooks",
    "See your webhook endpoints and their deliveries.",
    { roles: customers },
  ],
  WEBHOOKS_WRITE: [
    "webhooks:write",
    "Manage webhooks",
    "Test and delete your webhook endpoints, and send events again. Endpoints are added and changed in the portal.",
    { roles: customers },
  ],
});

/** Name of a scope, as stored with a token. */
export type Scope = ValueOf<typeof scopes>;

/** All scopes, in the order they are offered. */
export const scopeNames = listValues(scopes);

/** Returns whether a text is the name of a scope. A token may have a scope that no longer exists. */
export function isScope(text: string): text is Scope {
  return scopes.some(({ value }) => value === text);
}

const findScope = (scope: Scope) => findEntry<ScopeEntry>(scopes, scope)!;

/** Returns whether a role can be granted a scope. */
export function canHaveScope(role: Role, scope: Scope): boolean {
  return findScope(scope).roles.includes(role);
}

/** Returns the scopes that can be granted to a role, in order. */
export function getRoleScopes(role: Role): Scope[] {
  return scopeNames.filter((scope) => canHaveScope(role, scope));
}

/** Returns the explanation of a scope as shown to users with a role. */
export function explainScope(scope: Scope, role: Role): string {
  const { description, forAdmins } = findScope(scope);
  return (role === "admin" ? forAdmins : undefined) ?? description;
}

/** Prefix of every personal access token. It lets people and secret scanners recognise a token. */
export const TOKEN_PREFIX = "xpat_";

/** Maximum number of active tokens per user. */
export const MAX_TOKENS = 25;

/** Longest lifetime of a token in days. */
export const MAX_TOKEN_DAYS = 365;

/** Maximum number of networks of a token. */
export const MAX_TOKEN_NETWORKS = 20;

const SCOPE_UNKNOWN = "Scope is not one of the list.";
const EXPIRY_WRONG = `Expiry must be a whole number of days from 1 to ${MAX_TOKEN_DAYS}.`;

const NETWORK_WRONG = "List IP addresses and networks, such as 203.0.113.0/24 or 2001:db8::/48.";

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
    .of(
      string()
        .strict()
        .typeError(NETWORK_WRONG)
        .required(NETWORK_WRONG)
        .test("network", NETWORK_WRONG, (text) => isAddressOrNetwork(text)),
    )
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
  expiresInDays: numeric()
    .typeError(EXPIRY_WRONG)
    .integer(EXPIRY_WRONG)
    .min(1, EXPIRY_WRONG)
    .max(MAX_TOKEN_DAYS, EXPIRY_WRONG)
    .required("Expiry is required."),
});
export type PersonalAccessTokenValues = InferType<typeof personalAccessTokenRules>;
