import type { SessionTokens } from "#web/platform/session.ts";

/** Tokens handed to the tab that shows the view. */
export type ViewTokens = Pick<SessionTokens, "accessToken" | "expiresIn">;

/** Messages on the channel: the tab reports that it is ready, the admin's page sends the view, the tab confirms it. */
type Message = { kind: "ready" } | { kind: "view"; view: ViewTokens } | { kind: "taken" };

/** Longest time to wait for the other tab, in milliseconds. */
const TIMEOUT_MS = 15_000;

/**
 * Hands a view to the tab that was opened with this key, once (decision 0035). The channel reaches only pages of the
 * same origin, so the token never appears in a URL and the tab needs no reference to this page.
 * @returns whether the tab received the view or never responded.
 */
export function offerView(key: string, view: ViewTokens): Promise<"taken" | "timed-out"> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(getChannelName(key));
    const end = (result: "taken" | "timed-out") => {
      clearTimeout(timer);
      channel.close();
      resolve(result);
    };
    const timer = setTimeout(() => end("timed-out"), TIMEOUT_MS);
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (data.kind === "taken") end("taken");
      // React may mount the tab's page twice. Both mounts get the same view.
      else if (data.kind === "ready") channel.postMessage({ kind: "view", view } satisfies Message);
    });
  });
}

const BLOCKED =
  "Your browser doesn't let the tabs of this site talk to each other. Allow cookies and site data for this site in your browser's settings, and try again.";

/**
 * Requests the view from the admin's page that opened this tab.
 * @returns a function that stops waiting.
 */
export function receiveView(
  key: string,
  onResult: (result: { view: ViewTokens } | { refused: string }) => void,
): () => void {
  let channel: BroadcastChannel;
  try {
    channel = new BroadcastChannel(getChannelName(key));
  } catch {
    // Firefox refuses channels where site data is blocked.
    onResult({ refused: BLOCKED });
    return () => undefined;
  }
  const stop = () => {
    clearTimeout(timer);
    channel.close();
  };
  const timer = setTimeout(() => {
    stop();
    onResult({ refused: "The page that opened this tab did not respond. Close this tab and try again there." });
  }, TIMEOUT_MS);
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "view") {
      channel.postMessage({ kind: "taken" } satisfies Message);
      stop();
      onResult({ view: data.view });
    }
  });
  channel.postMessage({ kind: "ready" } satisfies Message);
  return stop;
}

/** Returns a random key. `crypto.randomUUID` is unavailable on pages without TLS. */
export function generateHandoverKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const getChannelName = (key: string) => `xer-portal.view.${key}`;
