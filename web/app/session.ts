import { useSyncExternalStore } from "react";

/** The one key of browser storage that holds the session (spec, public §9). */
export const SESSION_KEY = "xer-portal.session";

/** What the api answers when it opens or refreshes a session. */
export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
  /** Seconds until the access token expires. */
  expiresIn: number;
}

/** Kind of user in the `rol` claim: member types 1, 2 and 3 (DOMAIN §6). */
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
}

const listeners = new Set<() => void>();
let cached: { raw: string | null; session: Session | null } = { raw: null, session: null };

/** The session in storage, or null; anything unreadable counts as signed out. The same object until it changes. */
export function currentSession(): Session | null {
  const raw = readStorage();
  if (raw !== cached.raw) cached = { raw, session: raw === null ? null : parse(raw) };
  return cached.session;
}

/** Signs in: stores the tokens and tells every listener in this tab; the others hear it from the storage. */
export function startSession(tokens: SessionTokens): void {
  const expiresAt = Date.now() + tokens.expiresIn * 1000;
  const { accessToken, refreshToken } = tokens;
  localStorage.setItem(SESSION_KEY, JSON.stringify({ accessToken, refreshToken, expiresAt }));
  announce();
}

/** Forgets the session in this browser. Ending it on the server is the logout page's business. */
export function removeSession(): void {
  localStorage.removeItem(SESSION_KEY);
  announce();
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

function readStorage(): string | null {
  try {
    return localStorage.getItem(SESSION_KEY);
  } catch {
    return null;
  }
}

function parse(raw: string): Session | null {
  try {
    const stored = JSON.parse(raw) as Partial<Session> | null;
    const { accessToken, refreshToken, expiresAt } = stored ?? {};
    if (typeof accessToken !== "string" || typeof refreshToken !== "string" || typeof expiresAt !== "number")
      return null;
    const claims = readClaims(accessToken);
    return claims && { accessToken, refreshToken, expiresAt, claims };
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
