import type { NavigateOptions } from "react-router-dom";

type Navigate = (to: string, options?: NavigateOptions) => void;

let navigate: Navigate | null = null;

/** Called by the router once it stands; answers how to take it back. */
export function installNavigator(next: Navigate): () => void {
  navigate = next;
  return () => {
    if (navigate === next) navigate = null;
  };
}

/** Goes to a page from code outside React, such as Apollo's links. */
export function goTo(to: string, options?: NavigateOptions): void {
  if (navigate) navigate(to, options);
  else window.location.assign(to);
}

/** The present place as path, query and fragment. */
export function currentPlace(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}
