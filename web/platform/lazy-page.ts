import type { ComponentType } from "react";
import { retryingLazy } from "./load-part.ts";

/** A page that loads when first opened; `preload` starts that early. */
export interface LazyPage {
  /** After a failed load was shown this is another component, which requests the file again. */
  readonly Page: ComponentType;
  preload: () => void;
  /** The page's file, `web/pages/public/home.tsx`; known to the build alone, which names it. */
  source?: string | undefined;
}

/** Wraps a page's file, whose default export is the page. `source` is filled in when pages are prerendered. */
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
    // Not while offline: browsers remember a failed import as long as the page is open.
    preload: () => {
      if (navigator.onLine !== false) void once().catch(() => undefined);
    },
    source,
  };
}
