import { type ComponentType, lazy } from "react";

/** A page that loads when first opened; `preload` starts that early. */
export interface LazyPage {
  Page: ComponentType;
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
  return { Page: lazy(once), preload: () => void once().catch(() => undefined), source };
}
