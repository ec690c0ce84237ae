import { vi } from "vitest";

/** Mocks the API for downloads and records the requests and the names of the saved files. */
export function mockDownloads(answer: (signal: AbortSignal) => Promise<Response>) {
  const requests: { url: string; body: unknown; token: string | null }[] = [];
  const saved: string[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const token = new Headers(init.headers).get("authorization");
    requests.push({ url, body: JSON.parse(init.body as string), token });
    return answer(init.signal as AbortSignal);
  });
  URL.createObjectURL = () => "blob:report";
  URL.revokeObjectURL = () => {};
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  return { requests, saved };
}
