import { type LazyPage, lazyPage } from "#web/platform/lazy-page.ts";
import type { SitePageName } from "./site-pages.ts";

/** A page of the site; the signed-in do not load the list of their files, which comes with each page's HTML. */
export const sitePage = (name: SitePageName): LazyPage =>
  lazyPage(async () => (await import("./site-pages.ts")).sitePages[name](), `web/pages/public/${name}.tsx`);
