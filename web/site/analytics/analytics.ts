import { useSyncExternalStore } from "react";

/** Where a visitor's answer stands; apart from the session, which goes with signing out. */
const KEY = "xer-portal.analytics";

/** What a visitor said about analytics; null: not yet asked, or asked again. */
export type Consent = "granted" | "refused" | null;

const listeners = new Set<() => void>();
let inThisPage: Consent = null;

/** The visitor's answer as React state. */
export function useConsent(): Consent {
  return useSyncExternalStore(subscribe, currentConsent, () => null);
}

/** Keeps the visitor's answer; null asks again. */
export function setConsent(consent: Consent): void {
  inThisPage = consent;
  try {
    if (consent === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, consent);
  } catch {
    // Storage can be forbidden; the answer lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function currentConsent(): Consent {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === "granted" || stored === "refused" ? stored : inThisPage;
  } catch {
    return inThisPage;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type TagWindow = Window & { dataLayer?: unknown[]; [disabled: `ga-disable-${string}`]: boolean };

/** Lets the tag send, loading it first; it has no view of its own and is told each page by {@link sendPageView}. */
export function startAnalytics(tagId: string, path: string): void {
  const page = window as unknown as TagWindow;
  page[`ga-disable-${tagId}`] = false;
  const isNew = !page.dataLayer;
  page.dataLayer ??= [];
  // For all that the tag sends of itself, too.
  tell("set", placeOf(path));
  if (!isNew) return;
  tell("js", new Date());
  tell("config", tagId, { send_page_view: false });
  const script = document.createElement("script");
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(tagId)}`;
  document.head.append(script);
}

/** Nothing is sent from now on. */
export function stopAnalytics(tagId: string): void {
  (window as unknown as TagWindow)[`ga-disable-${tagId}`] = true;
}

/** One page was opened. Never its query or fragment: they can hold what is a person's own. */
export function sendPageView(path: string): void {
  tell("event", "page_view", placeOf(path));
}

const placeOf = (path: string) => ({ page_location: window.location.origin + path, page_referrer: "" });

/** The tag's own way of being told: it wants `arguments`, not an array. */
function tell(..._words: unknown[]): void {
  // oxlint-disable-next-line prefer-rest-params
  (window as unknown as TagWindow).dataLayer?.push(arguments);
}
