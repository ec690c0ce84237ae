import { everybody, type RouteEntry } from "#web/platform/route-entry.ts";
import { sitePage } from "./site-page.ts";

/** Content pages with their own layout but without a route. The lookup finds them by name, which is their pattern. */
export const unroutedPages: readonly RouteEntry[] = [
  { path: { pattern: "support" }, access: everybody, page: sitePage("support") },
  {
    path: { pattern: "not-found" },
    access: everybody,
    page: sitePage("not-found"),
  },
];

/** Converts a path to a page name: slashes trimmed, in lower case. */
export const toPageName = (pathname: string): string => pathname.replace(/^\/+|\/+$/g, "").toLowerCase();
