import { useSyncExternalStore } from "react";
import { browserStorage, KEPT_PREFIX } from "#web/platform/storage.ts";

/** Storage key of the visitor's choice, which survives signing out. */
const KEY = `${KEPT_PREFIX}analytics`;

/** A visitor's choice about analytics. Null if they haven't chosen yet or want to choose again. */
export type Consent = "granted" | "refused" | null;

const listeners = new Set<() => void>();

/** Returns the visitor's choice as React state. */
export function useConsent(): Consent {
  return useSyncExternalStore(subscribe, currentConsent, () => null);
}

/** Stores the visitor's choice. Null shows the consent request again. A refusal deletes the cookies that the tag has set. */
export function setConsent(consent: Consent): void {
  if (consent === null) browserStorage.remove(KEY);
  else browserStorage.set(KEY, consent);
  if (consent === "refused") deleteCookies();
  for (const listener of listeners) listener();
}

/** Deletes the tag's cookies, which it sets for the widest domain that the browser allows. */
function deleteCookies(): void {
  const labels = window.location.hostname.split(".");
  const domains = labels.map((_, index) => `; Domain=${labels.slice(index).join(".")}`);
  for (const [name] of document.cookie.matchAll(/\b_ga\w*(?==)/g))
    for (const domain of ["", ...domains]) document.cookie = `${name}=; Max-Age=0; Path=/${domain}`;
}

function currentConsent(): Consent {
  const stored = browserStorage.get(KEY);
  return stored === "granted" || stored === "refused" ? stored : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type TagWindow = Window & { dataLayer?: unknown[]; [disabled: `ga-disable-${string}`]: boolean };

/** Loads and enables the analytics tag. Page views are only sent by {@link sendPageView}. */
export function startAnalytics(tagId: string, path: string): void {
  const page = window as unknown as TagWindow;
  page[`ga-disable-${tagId}`] = false;
  const isNew = !page.dataLayer;
  page.dataLayer ??= [];
  // Also applies to events that the tag sends automatically.
  sendCommand("set", pageFields(path));
  if (!isNew) return;
  sendCommand("js", new Date());
  sendCommand("config", tagId, { send_page_view: false });
  const script = document.createElement("script");
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(tagId)}`;
  document.head.append(script);
}

/** Disables the analytics tag. */
export function stopAnalytics(tagId: string): void {
  (window as unknown as TagWindow)[`ga-disable-${tagId}`] = true;
}

/** Sends a page view without the query and fragment, which can contain personal data. */
export function sendPageView(path: string): void {
  sendCommand("event", "page_view", pageFields(path));
}

const pageFields = (path: string) => ({ page_location: window.location.origin + path, page_referrer: "" });

/** Sends a command to the tag, which requires the `arguments` object instead of an array. */
function sendCommand(..._words: unknown[]): void {
  // oxlint-disable-next-line prefer-rest-params
  (window as unknown as TagWindow).dataLayer?.push(arguments);
}
