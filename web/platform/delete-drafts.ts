import { tabStorage } from "./storage.ts";

/** Prefix of the storage keys of drafts. They are kept in session storage, so each tab has its own. */
export const DRAFT_KEY_PREFIX = "xer-portal.draft.";

/** Deletes every draft of this tab when the user signs out. */
export function deleteDrafts(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(DRAFT_KEY_PREFIX)) tabStorage.remove(key);
}

/** Deletes the drafts of this tab when the user signs out in another one, which clears the shared storage. */
export function deleteDraftsOnSignOutElsewhere(): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === null) deleteDrafts();
  };
  window.addEventListener("storage", listener);
  return () => window.removeEventListener("storage", listener);
}
