/** Whom a scope means something to, as the `rol` claim names them. */
type ScopeRole = "regular" | "corporate" | "admin";

interface ScopeWords {
  /** What stands beside its checkbox. */
  readonly label: string;
  /** What a token with it may do, for who ticks the box. */
  readonly explanation: string;
  /** The same for an admin, where it reaches further than their own account. */
  readonly explanationForAdmins?: string;
  readonly roles: readonly ScopeRole[];
}

const everybody = ["regular", "corporate", "admin"] as const;
const staff = ["admin"] as const;
/** An admin's endpoints hear of every customer: only a person sets them up. */
const customers = ["regular", "corporate"] as const;

/**
 * What a personal access token may be given, in the order in which it is chosen. Reading and writing are apart: to write
 * is not to read. Which call needs which is said in `api/app/permissions.ts`.
 */
export const scopes = {
  "licences:read": {
    label: "Read licences",
    explanation: "See your licences with their codes, devices, seats and history.",
    explanationForAdmins: "See every licence with its code, devices, seats and history.",
    roles: everybody,
  },
  "licences:write": {
    label: "Manage licences",
    explanation: "Activate devices offline and deactivate devices, which counts as when you do it.",
    explanationForAdmins: "Add, change and deactivate licences, deactivate devices and free seats.",
    roles: everybody,
  },
  "profile:read": {
    label: "Read profile",
    explanation: "See your name, email address, company and postal address.",
    roles: everybody,
  },
  "billing:read": {
    label: "Read billing",
    explanation: "See your subscription, prices and tax invoices. Nothing can be bought or cancelled.",
    explanationForAdmins: "See who subscribes, and the tax invoices of users. Nothing can be bought or cancelled.",
    roles: ["regular", "admin"],
  },
  "users:read": {
    label: "Read users",
    explanation: "Find every user and see their details, contacts, comments and timeline.",
    roles: staff,
  },
  "users:write": {
    label: "Manage users",
    explanation: "Create, change, archive and restore customers, with contacts and comments. Never an admin's account.",
    roles: staff,
  },
  "promo-codes:read": {
    label: "Read promo codes",
    explanation: "See every promo code and how it was used.",
    roles: staff,
  },
  "promo-codes:write": {
    label: "Manage promo codes",
    explanation: "Add, change and delete promo codes.",
    roles: staff,
  },
  "reports:read": {
    label: "Read reports",
    explanation:
      "Download reports, one of which lists licence codes; see the dashboard, what needs attention and the audit log.",
    roles: staff,
  },
  "software:read": {
    label: "Read software",
    explanation: "See the installers that you may download.",
    explanationForAdmins: "See every build of the add-in, with its files and downloads.",
    roles: everybody,
  },
  "software:write": {
    label: "Manage software",
    explanation: "Upload, publish, withdraw and roll back builds that customers are offered.",
    roles: staff,
  },
  "webhooks:read": {
    label: "Read webhooks",
    explanation: "See your webhook endpoints and all that was delivered to them.",
    roles: customers,
  },
  "webhooks:write": {
    label: "Manage webhooks",
    explanation:
      "Add, change, test and delete your webhook endpoints, which hear of your licences, subscription and invoices.",
    roles: customers,
  },
} as const satisfies Readonly<Record<string, ScopeWords>>;

/** Name of a scope, as tokens carry it. */
export type Scope = keyof typeof scopes;

/** Every scope, in the order in which they are chosen. */
export const scopeNames = Object.keys(scopes) as Scope[];

/** Whether a text names a scope; what a token carries may be older than the list. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/** Whether a token of somebody of this role may have the scope. */
export function mayHaveScope(role: ScopeRole, scope: Scope): boolean {
  return (scopes[scope] as ScopeWords).roles.includes(role);
}

/** The scopes that mean something to a role, in order. */
export function scopesOfRole(role: ScopeRole): Scope[] {
  return scopeNames.filter((scope) => mayHaveScope(role, scope));
}

/** What a token with the scope may do, as somebody of the role reads it. */
export function explainScope(scope: Scope, role: ScopeRole): string {
  const { explanation, explanationForAdmins } = scopes[scope] as ScopeWords;
  return (role === "admin" ? explanationForAdmins : undefined) ?? explanation;
}

/** What the text of every personal access token begins with, by which people and scanners of leaked secrets know it. */
export const TOKEN_PREFIX = "xpat_";

/** Live tokens that one person may have at a time. */
export const MOST_TOKENS = 25;

/** Days after which a token ends at the latest. */
export const LONGEST_TOKEN_DAYS = 365;
