import { tabStorage } from "./storage.ts";

/** Entry files for which this tab has already been reloaded. The same key is used in before-paint.js. */
const RELOADED_KEY = "xer-portal.reloaded-for";

/**
 * Reloads the page because the server is of another release: it lacks a file or a field that the page needs. Reloads at most
 * once per release and tab, so it can never loop.
 * @returns false if the tab has already been reloaded or can't remember it
 */
export function reloadOncePerRelease(): boolean {
  const script = document.querySelector<HTMLScriptElement>("script[type=module][src]");
  const entry = new URL(script?.src ?? import.meta.url).pathname;
  const reloadedFor = JSON.parse(tabStorage.get(RELOADED_KEY) ?? "[]") as string[];
  if (reloadedFor.includes(entry)) return false;
  if (!tabStorage.set(RELOADED_KEY, JSON.stringify([...reloadedFor, entry]))) return false;
  window.location.reload();
  return true;
}
