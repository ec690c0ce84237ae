import { formatError } from "./server-error.ts";
import { createStore } from "./store.ts";

/** A notification at the top right. */
export interface Notice {
  id: number;
  tone: "success" | "error";
  message: string;
  /** Display time in milliseconds. It is paused while the notification has the pointer or the focus. */
  durationMs: number;
  /** Undoes the action that the message reports, and shows a notification with the result. */
  undo?: (() => void) | undefined;
}

const SHORTEST_MS = 6_000;
/** Shortest display time of a notification that offers Undo. */
const SHORTEST_WITH_UNDO_MS = 15_000;
const MS_PER_CHARACTER = 90;
/** Highest number of notifications shown at the same time; older ones are removed. */
const MOST = 4;

/** The notifications that the host shows. */
export const notices = createStore<readonly Notice[]>([]);
let lastId = 0;

export const notify = {
  /** Shows a green message that screen readers announce politely. */
  success: (message: string): void => show("success", message),
  /** Shows a green message with a button that undoes the action. */
  undoable: (message: string, undo: () => void): void => show("success", message, undo),
  /** Shows a red message that screen readers announce immediately. */
  error: (message: string): void => show("error", message),
  /** Shows a red message: the API's message if there is one, otherwise the fallback. */
  failure: (error: unknown, fallback?: string): void => show("error", formatError(error, fallback)),
  dismiss: (id: number): void => notices.set(notices.get().filter((notice) => notice.id !== id)),
  /** Removes the errors, for example when the user tries again. */
  clearErrors: (): void => notices.set(notices.get().filter((notice) => notice.tone !== "error")),
  /** Removes all notifications, for example when the user signs out. */
  clear: (): void => notices.set([]),
};

function show(tone: Notice["tone"], message: string, undo?: () => void): void {
  const shortestMs = undo ? SHORTEST_WITH_UNDO_MS : SHORTEST_MS;
  const durationMs = Math.max(shortestMs, message.length * MS_PER_CHARACTER) * (tone === "error" ? 1.5 : 1);
  lastId += 1;
  // Show a repeated message only once.
  const others = notices.get().filter((notice) => notice.message !== message || notice.undo);
  notices.set([...others, { id: lastId, tone, message, durationMs, undo }].slice(-MOST));
}
