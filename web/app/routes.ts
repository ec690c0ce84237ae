import { lazyPage } from "#web/platform/lazy-page.ts";
import { paths } from "#web/platform/paths.ts";
import type { RouteEntry } from "#web/platform/route-entry.ts";
import { pageAccess } from "./page-access.ts";
import { type LoadPage, loadContentPage, namedContentPages, type PageName, pages } from "./pages.tsx";

const toLazyPage = (load: LoadPage) => lazyPage(load, load.source);

/** The routes of all pages that load on demand, by the table of pages. */
export const routes: readonly RouteEntry[] = (Object.keys(pages) as PageName[]).flatMap((name) => {
  const { access, load } = pages[name];
  return load ? [{ path: paths[name], access: pageAccess[access], page: toLazyPage(load) }] : [];
});

/** Fallback route: a content page, or the 404 page. */
export const contentRoute: RouteEntry = {
  path: { pattern: "*" },
  access: pageAccess.everyone,
  page: toLazyPage(loadContentPage),
};

/** Converts a path to the name of a content page: slashes trimmed, in lower case. */
export const toContentName = (pathname: string): string => pathname.replace(/^\/+|\/+$/g, "").toLowerCase();

/** Content pages with their own layout but without a route, by name. */
export const namedContent = new Map(Object.entries(namedContentPages).map(([name, load]) => [name, toLazyPage(load)]));
