import { vi } from "vitest";

/** Answers downloads instead of the api; tells what was asked, and under which names files were saved. */
export function playDownloads(answer: (signal: AbortSignal) => Promise<Response>) {
  const asked: { url: string; body: unknown; token: string | null }[] = [];
  const saved: string[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push({ url, body: JSON.parse(init.body as string), token: new Headers(init.headers).get("authorization") });
    return answer(init.signal as AbortSignal);
  });
  URL.createObjectURL = () => "blob:report";
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  return { asked, saved };
}

/** A download that never comes, until it is given up. */
export const untilGivenUp = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) =>
    signal.addEventListener("abort", () => reject(new DOMException("", "AbortError"))),
  );
