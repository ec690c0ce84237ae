import type { NavigateOptions } from "react-router-dom";

type Navigate = (to: string, options?: NavigateOptions) => void;

let navigate: Navigate | null = null;

/** Registers the router's navigation. Returns a function that removes it. */
export function installNavigator(next: Navigate): () => void {
  navigate = next;
  return () => {
    if (navigate === next) navigate = null;
  };
}

/** Navigates from code outside React, such as Apollo's links. */
export function goTo(to: string, options?: NavigateOptions): void {
  if (navigate) navigate(to, options);
  else window.location.assign(to);
}

/** Returns the current path with query and fragment. */
export function getCurrentPlace(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}
