import { useSyncExternalStore } from "react";

/** The one key of browser storage that holds the session. */
export const SESSION_KEY = "xer-portal.session";

/** The one key of the tab's own storage that holds a view of the portal as a customer (decision 0035). */
export const VIEW_KEY = "xer-portal.view";

/** What stands there once the view is over, so that the tab does not go on as the admin unasked. */
const VIEW_OVER = "over";

/** What the api answers when it opens or refreshes a session. */
export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
  /** Seconds until the access token expires. */
  expiresIn: number;
}

/** Kind of user in the `rol` claim: member types 1, 2 and 3. */
export type Role = "regular" | "corporate" | "admin";

/** Who is signed in, as read from the access token. For display and routing; the api decides on rights. */
export interface Claims {
  id: string;
  email: string;
  givenName: string;
  familyName: string;
  role: Role;
}

export interface Session {
  accessToken: string;
  refreshToken: string;
  /** Expiry of the access token by this browser's clock, ms since the epoch. */
  expiresAt: number;
  claims: Claims;
  /** An admin looks at the portal as this customer, in this tab alone: nothing can be changed or refreshed. */
  isView?: true;
}

const listeners = new Set<() => void>();
let cached: { raw: string | null; session: Session | null } = { raw: null, session: null };

/**
 * The session in storage, a view in this tab before all others, or null; anything unreadable counts as signed out. The
 * same object until it changes.
 */
export function currentSession(): Session | null {
  const view = readStorage(() => sessionStorage, VIEW_KEY);
  const raw = view ?? readStorage(() => localStorage, SESSION_KEY);
  if (raw !== cached.raw) cached = { raw, session: raw === null ? null : parse(raw, view !== null) };
  return cached.session;
}

/**
 * Signs in: stores the tokens and tells every listener in this tab; the others hear it from the storage. A tab that
 * showed a customer's view is an ordinary one again.
 */
export function startSession(tokens: SessionTokens): void {
  sessionStorage.removeItem(VIEW_KEY);
  const expiresAt = Date.now() + tokens.expiresIn * 1000;
  const { accessToken, refreshToken } = tokens;
  localStorage.setItem(SESSION_KEY, JSON.stringify({ accessToken, refreshToken, expiresAt }));
  announce();
}

/** Begins a view of the portal as a customer in this tab; the browser's own session stays as it is. */
export function startView({ accessToken, expiresIn }: Pick<SessionTokens, "accessToken" | "expiresIn">): void {
  const expiresAt = Date.now() + expiresIn * 1000;
  sessionStorage.setItem(VIEW_KEY, JSON.stringify({ accessToken, refreshToken: "", expiresAt }));
  announce();
}

/**
 * Forgets the session in this browser, or the view in this tab. Ending it on the server is the logout page's business.
 */
export function removeSession(): void {
  if (readStorage(() => sessionStorage, VIEW_KEY) === null) localStorage.removeItem(SESSION_KEY);
  else sessionStorage.setItem(VIEW_KEY, VIEW_OVER);
  announce();
}

/** Makes this an ordinary tab again, with the browser's own session. */
export function leaveView(): void {
  sessionStorage.removeItem(VIEW_KEY);
  announce();
}

/** Whether this tab showed the portal as a customer sees it and the time is over, or it was stopped. */
export function viewIsOver(): boolean {
  return readStorage(() => sessionStorage, VIEW_KEY) === VIEW_OVER;
}

/** {@link viewIsOver} as React state. */
export function useViewIsOver(): boolean {
  return useSyncExternalStore(onSessionChange, viewIsOver, () => false);
}

/** Calls back whenever the session changes, in this tab or another; answers how to stop. */
export function onSessionChange(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === SESSION_KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", fromOtherTab);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", fromOtherTab);
  };
}

/** The session as React state: renders again on sign-in, refresh and sign-out, also from another tab. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, currentSession, () => null);
}

function announce(): void {
  for (const listener of listeners) listener();
}

function readStorage(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function parse(raw: string, isView: boolean): Session | null {
  try {
    const stored = JSON.parse(raw) as Partial<Session> | null;
    const { accessToken, refreshToken, expiresAt } = stored ?? {};
    if (typeof accessToken !== "string" || typeof refreshToken !== "string" || typeof expiresAt !== "number")
      return null;
    const claims = readClaims(accessToken);
    return claims && { accessToken, refreshToken, expiresAt, claims, ...(isView ? { isView } : {}) };
  } catch {
    return null;
  }
}

const roles: readonly string[] = ["regular", "corporate", "admin"] satisfies Role[];

/** Claims of an access token, unverified; null when it is not a token of ours. */
export function readClaims(accessToken: string): Claims | null {
  try {
    const body = accessToken.split(".")[1] ?? "";
    const bytes = Uint8Array.from(atob(body.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    const { id, sub, given_name, family_name, rol } = claims;
    if (typeof id !== "string" || typeof rol !== "string" || !roles.includes(rol)) return null;
    return { id, email: text(sub), givenName: text(given_name), familyName: text(family_name), role: rol as Role };
  } catch {
    return null;
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
