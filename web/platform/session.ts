import { useSyncExternalStore } from "react";
import { type Role, roles } from "#schema/roles.ts";
import { notify } from "./notifications.ts";
import { browserStorage, tabStorage } from "./storage.ts";
import { hasUnsavedInput } from "./unsaved-input.ts";

/** Key of the session in local storage. */
export const SESSION_KEY = "xer-portal.session";

/** Key in session storage of the tokens for viewing the portal as a customer (decision 0035). */
export const VIEW_KEY = "xer-portal.view";

/**
 * Key in local storage of the user whose session the API ended. Tells the other tabs to keep their pages and show the
 * sign-in dialog. A sign-out closes them, unless they have unsaved input.
 */
const ENDED_KEY = "xer-portal.session-ended";

/** Value stored after the view has ended, so the tab doesn't silently continue as the admin. */
const VIEW_OVER = "over";

/** Tokens that the API returns when it starts or refreshes a session. */
export interface SessionTokens {
  accessToken: string;
  /** A marker of the cookie with the refresh token. Sessions from before that cookie have the token itself. */
  refreshToken: string;
  /** Seconds until the access token expires. */
  expiresIn: number;
}

export type { Role };

/** The signed-in user according to the access token. For display and routing only: the API checks permissions. */
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
  /** Expiry of the access token by this browser's clock, in milliseconds since the epoch. */
  expiresAt: number;
  claims: Claims;
  /** True if an admin views the portal as this customer in this tab. Nothing can be changed, and the session can't be refreshed. */
  isView?: true;
  /** True if the API has ended the session, and the page stays open until the user has signed in again. The tokens are useless. */
  isEnded?: true;
}

let canKeepPages = false;

/** Declares that the sign-in dialog can be shown, so an ended session needn't close the page. Returns a function that undoes it. */
export function keepPagesOfEndedSessions(): () => void {
  canKeepPages = true;
  return () => {
    canKeepPages = false;
  };
}

const listeners = new Set<() => void>();
let cached: { raw: string | null; session: Session | null } = { raw: null, session: null };

/**
 * Returns the current session: a view in this tab, else the stored session, else null. Unreadable data counts as signed
 * out. Returns the same object until the session changes.
 */
export function getSession(): Session | null {
  const view = tabStorage.get(VIEW_KEY);
  const ended = browserStorage.get(ENDED_KEY);
  const raw = view ?? browserStorage.get(SESSION_KEY) ?? (ended === null ? null : ENDED_KEY + ended);
  if (raw === cached.raw) return cached.session;
  cached = { raw, session: raw === null ? keepUnsavedPage() : read(raw, view !== null, ended) };
  return cached.session;
}

/** Returns the session as ended after a sign-out in another tab if the page has unsaved input, otherwise null. */
function keepUnsavedPage(): Session | null {
  const { session } = cached;
  return canKeepPages && session && !session.isView && hasUnsavedInput() ? { ...session, isEnded: true } : null;
}

function read(raw: string, isView: boolean, endedUserId: string | null): Session | null {
  if (isView || endedUserId === null || raw !== ENDED_KEY + endedUserId) return parse(raw, isView);
  const { session } = cached;
  return canKeepPages && session?.claims.id === endedUserId ? { ...session, isEnded: true } : null;
}

const STORAGE_BLOCKED =
  "Your browser doesn't let this site store data. You're signed in on this page, but you'll have to sign in again when you reload it, open another tab, or after ten minutes. To stay signed in, allow cookies and site data for this site in your browser's settings.";

/**
 * Signs in: stores the tokens and notifies the listeners of this tab. Other tabs receive a storage event. Ends a view of
 * the portal as a customer in this tab. If the browser refuses storage or cookies, the session lasts as long as the page, and
 * a notification says so.
 */
export function startSession(tokens: SessionTokens): void {
  const before = getSession();
  tabStorage.remove(VIEW_KEY);
  const expiresAt = Date.now() + tokens.expiresIn * 1000;
  const { accessToken, refreshToken } = tokens;
  const isStored = browserStorage.set(SESSION_KEY, JSON.stringify({ accessToken, refreshToken, expiresAt }));
  browserStorage.remove(ENDED_KEY);
  notifyListeners();
  const isNew = !before || before.isEnded;
  if (isNew && !(isStored && navigator.cookieEnabled)) notify.error(STORAGE_BLOCKED);
}

/**
 * Removes the tokens of the stored session after the API has ended it. Pages that already show content keep it, also in
 * other tabs, and the user can sign in again there.
 * @param keepsPage false if this tab has no content to keep and opens the sign-in page
 */
export function endSession({ claims }: Session, keepsPage: boolean): void {
  browserStorage.set(ENDED_KEY, claims.id);
  browserStorage.remove(SESSION_KEY);
  if (keepsPage) notifyListeners();
  else leaveEndedSession();
}

/** Closes the page of an ended session in this tab, for example to sign in as another user. */
export function leaveEndedSession(): void {
  if (getSession()?.isEnded) cached = { ...cached, session: null };
  notifyListeners();
}

/** Starts a view of the portal as a customer in this tab. The browser's stored session doesn't change. */
export function startView({ accessToken, expiresIn }: Pick<SessionTokens, "accessToken" | "expiresIn">): void {
  const expiresAt = Date.now() + expiresIn * 1000;
  tabStorage.set(VIEW_KEY, JSON.stringify({ accessToken, refreshToken: "", expiresAt }));
  notifyListeners();
}

/** Removes the session from this browser, or ends the view in this tab. The logout page ends the session on the server. */
export function removeSession(): void {
  if (tabStorage.get(VIEW_KEY) === null) {
    browserStorage.remove(SESSION_KEY);
    browserStorage.remove(ENDED_KEY);
    // Only a sign-out in another tab keeps a page with unsaved input.
    cached = { raw: null, session: null };
  } else tabStorage.set(VIEW_KEY, VIEW_OVER);
  notifyListeners();
}

/** Leaves the ended view and returns this tab to the browser's stored session. */
export function leaveView(): void {
  tabStorage.remove(VIEW_KEY);
  notifyListeners();
}

/** Returns true if a view of the portal as a customer in this tab has expired or was stopped. */
export function hasViewEnded(): boolean {
  return tabStorage.get(VIEW_KEY) === VIEW_OVER;
}

/** {@link hasViewEnded} as React state. */
export function useHasViewEnded(): boolean {
  return useSyncExternalStore(onSessionChange, hasViewEnded, () => false);
}

/** Calls the listener whenever the session changes, in this or another tab. Returns a function that unsubscribes. */
export function onSessionChange(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === SESSION_KEY || event.key === ENDED_KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", fromOtherTab);
  // A page that the browser keeps for Back gets no event of what happens meanwhile, such as a sign-out.
  window.addEventListener("pageshow", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", fromOtherTab);
    window.removeEventListener("pageshow", listener);
  };
}

/** Returns the session as React state. Renders again on sign-in, refresh and sign-out in any tab. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, getSession, () => null);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

function parse(raw: string, isView: boolean): Session | null {
  try {
    const stored = JSON.parse(raw) as Partial<Session> | null;
    const { accessToken, refreshToken, expiresAt } = stored ?? {};
    if (typeof accessToken !== "string" || typeof refreshToken !== "string" || typeof expiresAt !== "number")
      return null;
    const claims = parseClaims(accessToken);
    return claims && { accessToken, refreshToken, expiresAt, claims, ...(isView ? { isView } : {}) };
  } catch {
    return null;
  }
}

const isRole = (claim: unknown): claim is Role => roles.some((role) => role === claim);

/** Returns the claims of an access token without verifying it, or null if it isn't an access token of this portal. */
export function parseClaims(accessToken: string): Claims | null {
  try {
    const { id, sub, given_name, family_name, rol } = decodeToken(accessToken);
    if (typeof id !== "string" || !isRole(rol)) return null;
    return { id, email: text(sub), givenName: text(given_name), familyName: text(family_name), role: rol };
  } catch {
    return null;
  }
}

/** Decodes an access token without verifying it. @throws Error if it isn't a token. */
export function decodeToken(accessToken: string): Record<string, unknown> {
  const body = accessToken.split(".")[1] ?? "";
  const bytes = Uint8Array.from(atob(body.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
