import type { ComponentType } from "react";
import { isOffline } from "./connection.ts";
import { retryingLazy } from "./load-part.ts";

/** A page that is loaded when it is first opened. `preload` starts loading earlier. */
export interface LazyPage {
  /** The page's component. After a failed load it is a new component, which requests the file again. */
  readonly Page: ComponentType;
  preload: () => void;
  /** Loads the page before the portal's first render, so that it is shown without a placeholder. */
  loadNow: () => Promise<void>;
  /** The page's file, such as `web/site/home/home-page.tsx`. Only set during the build. */
  source?: string | undefined;
}

/** Wraps a page's file, which has the page as its default export. `source` is only set when pages are prerendered. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>, source?: string): LazyPage {
  let loading: Promise<{ default: ComponentType }> | null = null;
  const once = () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  const current = retryingLazy(once);
  return {
    get Page() {
      return current();
    },
    // Don't preload while offline, because browsers remember a failed import for as long as the page is open.
    loadNow: current.loadNow,
    preload: () => {
      if (!isOffline()) void once().catch(() => undefined);
    },
    source,
  };
}
