import { everybody, type RouteEntry } from "#web/platform/route-entry.ts";
import { sitePage } from "./site-page.ts";

/**
 * Pages of the content that have a form of their own and yet no route: the lookup finds them by their name, which is
 * their pattern here.
 */
export const namedPages: readonly RouteEntry[] = [
  { path: { pattern: "support" }, access: everybody, page: sitePage("support") },
  {
    path: { pattern: "not-found" },
    access: everybody,
    page: sitePage("not-found"),
  },
];

/** Returns the name of a page's address: slashes trimmed, in lower case. */
export const nameOfAddress = (pathname: string): string => pathname.replace(/^\/+|\/+$/g, "").toLowerCase();
