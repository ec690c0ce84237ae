/** Begins the keys of drafts. Their storage lives as long as the tab and is seen by no other. */
export const DRAFTS = "xer-portal.draft.";

/** Forgets every draft of this tab: the person signed out. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFTS)) sessionStorage.removeItem(key);
  } catch {
    // Without storage there are none.
  }
}

/** Forgets the drafts of this tab when the person signs out in another one, which empties the shared storage. */
export function forgetDraftsWithOtherTabs(): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === null) forgetDrafts();
  };
  window.addEventListener("storage", listener);
  return () => window.removeEventListener("storage", listener);
}
