import { type ComponentType, lazy } from "react";

/** A page that loads when first opened; `preload` starts that early. */
export interface LazyPage {
  Page: ComponentType;
  preload: () => void;
}

/** Wraps a page's file, whose default export is the page. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>): LazyPage {
  let loading: Promise<{ default: ComponentType }> | null = null;
  const once = () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return { Page: lazy(once), preload: () => void once().catch(() => undefined) };
}
