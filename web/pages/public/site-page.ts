import { type LazyPage, lazyPage } from "#web/platform/lazy-page.ts";
import type { SitePageName } from "./site-pages.ts";

/** Creates a lazy public page. The list of page files is loaded on demand, so portal pages don't include it. */
export const sitePage = (name: SitePageName): LazyPage =>
  lazyPage(async () => (await import("./site-pages.ts")).sitePages[name](), `web/pages/public/${name}.tsx`);
