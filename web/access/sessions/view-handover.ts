import type { SessionTokens } from "#web/platform/session.ts";

/** What a view's tab is given. */
export type ViewTokens = Pick<SessionTokens, "accessToken" | "expiresIn">;

/** What goes over the channel: the tab asks, the admin's page answers, the tab says that it has it. */
type Said =
  | { kind: "ready" }
  | { kind: "view"; view: ViewTokens }
  | { kind: "refused"; message: string }
  | { kind: "taken" };

/** Two tabs of one browser find each other within this time, ms, or not at all. */
const PATIENCE_MS = 15_000;

/**
 * Hands a view to the tab that was opened with this key, once (decision 0035). The channel reaches pages of this very
 * origin only, so the token never stands in an address, and the tab needs no hold on the page that opened it.
 * @param getView is called when the tab is there, once.
 * @returns whether the tab took it, was told why not, or never came.
 */
export function offerView(
  key: string,
  getView: () => Promise<ViewTokens | { refused: string }>,
): Promise<"taken" | "refused" | "never-came"> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName(key));
    let asked: Promise<ViewTokens | { refused: string }> | undefined;
    const end = (how: "taken" | "refused" | "never-came") => {
      clearTimeout(timer);
      channel.close();
      resolve(how);
    };
    const timer = setTimeout(() => end("never-came"), PATIENCE_MS);
    channel.addEventListener("message", ({ data }: MessageEvent<Said>) => {
      if (data.kind === "taken") return end("taken");
      if (data.kind !== "ready") return;
      clearTimeout(timer);
      // React may start the tab's page twice; both beginnings get the same view.
      asked ??= getView();
      void asked.then((view) => {
        if (!("refused" in view)) return channel.postMessage({ kind: "view", view } satisfies Said);
        channel.postMessage({ kind: "refused", message: view.refused } satisfies Said);
        return end("refused");
      });
    });
  });
}

/**
 * Asks the admin's page for the view, in the tab it has opened.
 * @returns how to stop waiting.
 */
export function receiveView(
  key: string,
  answer: (result: { view: ViewTokens } | { refused: string }) => void,
): () => void {
  const channel = new BroadcastChannel(channelName(key));
  const stop = () => {
    clearTimeout(timer);
    channel.close();
  };
  const timer = setTimeout(() => {
    stop();
    answer({ refused: "The page that opened this tab did not answer. Please close this tab and try again there." });
  }, PATIENCE_MS);
  channel.addEventListener("message", ({ data }: MessageEvent<Said>) => {
    if (data.kind === "view") {
      channel.postMessage({ kind: "taken" } satisfies Said);
      stop();
      answer({ view: data.view });
    } else if (data.kind === "refused") {
      stop();
      answer({ refused: data.message });
    }
  });
  channel.postMessage({ kind: "ready" } satisfies Said);
  return stop;
}

/** Random; `crypto.randomUUID` is missing from pages served without TLS. */
export function newHandoverKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const channelName = (key: string) => `xer-portal.view.${key}`;
