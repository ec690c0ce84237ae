import { messageOf } from "./server-error.ts";

/** A message at the top right. */
export interface Notice {
  id: number;
  tone: "success" | "error";
  message: string;
  /** How long it stays, ms; pointer or focus on it stops the clock. */
  stayMs: number;
}

const SHORTEST_MS = 6_000;
const MS_PER_CHARACTER = 90;
/** Older messages leave when more than these would stand at once. */
const MOST = 4;

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Notifications at the top right. */
export const notify = {
  /** A green message, announced politely. */
  success: (message: string): void => show("success", message),
  /** A red message, announced at once. */
  error: (message: string): void => show("error", message),
  /** A red message with the server's sentence where it gave one, else the fallback. */
  failure: (error: unknown, fallback?: string): void => show("error", messageOf(error, fallback)),
  /** Takes one away. */
  dismiss: (id: number): void => update(notices.filter((notice) => notice.id !== id)),
  /** Takes the errors away, as when the person tries again. */
  clearErrors: (): void => update(notices.filter((notice) => notice.tone !== "error")),
  /** Takes all away, as when a person leaves. */
  clear: (): void => update([]),
};

/** For the host: what is shown now, and how to hear of changes. */
export const noticeStore = {
  current: (): readonly Notice[] => notices,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function show(tone: Notice["tone"], message: string): void {
  const stayMs = Math.max(SHORTEST_MS, message.length * MS_PER_CHARACTER) * (tone === "error" ? 1.5 : 1);
  lastId += 1;
  // The same sentence twice is one message that has news, not two.
  const others = notices.filter((notice) => notice.message !== message);
  update([...others, { id: lastId, tone, message, stayMs }].slice(-MOST));
}

function update(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}
