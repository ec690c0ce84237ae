/** Role that can be granted a scope, named as in the `rol` claim. */
type ScopeRole = "regular" | "corporate" | "admin";

interface ScopeText {
  /** Label of the scope's checkbox. */
  readonly label: string;
  /** Actions that a token with this scope allows, as shown to its owner. */
  readonly explanation: string;
  /** Explanation for admins, if the scope covers more than their own account. */
  readonly explanationForAdmins?: string;
  readonly roles: readonly ScopeRole[];
}

const everyRole = ["regular", "corporate", "admin"] as const;
const staff = ["admin"] as const;
/**
 * Roles that can manage webhooks with a token. An admin's endpoints receive events for every customer, so admins set
 * them up only while signed in.
 */
const customers = ["regular", "corporate"] as const;

/**
 * Scopes of personal access tokens, in the order they are offered. Read and write are separate: a write scope doesn't
 * include reading. `api/app/permissions.ts` defines which call needs which scope.
 */
export const scopes = {
  "licences:read": {
    label: "Read licences",
    explanation: "See your licences with their codes, devices, seats and history.",
    explanationForAdmins: "See every licence with its code, devices, seats and history.",
    roles: everyRole,
  },
  "licences:write": {
    label: "Manage licences",
    explanation:
      "Activate devices offline and deactivate devices. These deactivations count towards your yearly limit.",
    explanationForAdmins:
      "Reinstate licences, deactivate devices and release seats. Licences are added, changed and deactivated in the portal.",
    roles: everyRole,
  },
  "profile:read": {
    label: "Read profile",
    explanation: "See your name, email address, company and postal address.",
    roles: everyRole,
  },
  "billing:read": {
    label: "Read billing",
    explanation: "See your subscription, prices and tax invoices. Nothing can be bought or cancelled.",
    explanationForAdmins: "See users' subscriptions and tax invoices. Nothing can be bought or cancelled.",
    roles: everyRole,
  },
  "users:read": {
    label: "Read users",
    explanation: "Find every user and see their details, contacts, comments and timeline.",
    roles: staff,
  },
  "users:write": {
    label: "Manage users",
    explanation:
      "Change customers, with contacts and comments, but not email addresses. Accounts are created, archived and restored in the portal.",
    roles: staff,
  },
  "promo-codes:read": {
    label: "Read promo codes",
    explanation: "See every promo code and its uses.",
    roles: staff,
  },
  "promo-codes:write": {
    label: "Delete promo codes",
    explanation: "Delete promo codes. They are added and changed in the portal.",
    roles: staff,
  },
  "reports:read": {
    label: "Read reports",
    explanation:
      "Download reports, including one with licence codes. See the dashboard, the items that need attention and the audit log.",
    roles: staff,
  },
  "software:read": {
    label: "Read software",
    explanation: "See the installers you can download.",
    explanationForAdmins: "See every build of the add-in, with its files and downloads.",
    roles: everyRole,
  },
  "software:write": {
    label: "Manage software",
    explanation: "Upload builds and delete drafts. Builds are published and withdrawn in the portal.",
    roles: staff,
  },
  "webhooks:read": {
    label: "Read webhooks",
    explanation: "See your webhook endpoints and their deliveries.",
    roles: customers,
  },
  "webhooks:write": {
    label: "Manage webhooks",
    explanation:
      "Test and delete your webhook endpoints, and send events again. Endpoints are added and changed in the portal.",
    roles: customers,
  },
} as const satisfies Readonly<Record<string, ScopeText>>;

/** Name of a scope, as stored with a token. */
export type Scope = keyof typeof scopes;

/** All scopes, in the order they are offered. */
export const scopeNames = Object.keys(scopes) as Scope[];

/** Returns whether a text is the name of a scope. A token may have a scope that no longer exists. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/** Returns whether a role can be granted a scope. */
export function canHaveScope(role: ScopeRole, scope: Scope): boolean {
  return (scopes[scope] as ScopeText).roles.includes(role);
}

/** Returns the scopes that can be granted to a role, in order. */
export function getRoleScopes(role: ScopeRole): Scope[] {
  return scopeNames.filter((scope) => canHaveScope(role, scope));
}

/** Returns the explanation of a scope as shown to users with a role. */
export function explainScope(scope: Scope, role: ScopeRole): string {
  const { explanation, explanationForAdmins } = scopes[scope] as ScopeText;
  return (role === "admin" ? explanationForAdmins : undefined) ?? explanation;
}

/** Prefix of every personal access token. It lets people and secret scanners recognise a token. */
export const TOKEN_PREFIX = "xpat_";

/** Maximum number of active tokens per user. */
export const MAX_TOKENS = 25;

/** Longest lifetime of a token in days. */
export const MAX_TOKEN_DAYS = 365;
