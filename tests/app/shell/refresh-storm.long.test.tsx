import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAccessToken, mockGraphqlResponse, resetSession, signInAs } from "#tests/support/render-web.tsx";

/** Simulates a tab: a separate copy of the modules with the shared storage. */
async function openTab() {
  vi.resetModules();
  const { refreshSession } = await import("#web/platform/refresh-session.ts");
  const { getSession } = await import("#web/platform/session.ts");
  return { refreshSession, getSession };
}
type Tab = Awaited<ReturnType<typeof openTab>>;

/** Simulates the API. Every token has one successor. Reuse within the grace period repeats the response; later reuse ends the session. */
function simulateApi({ forgiving }: { forgiving: boolean }) {
  const api = { exchanges: 0, repeats: 0, ended: false };
  const rotated = new Set<string>();
  vi.stubGlobal("fetch", async (_url: string, init: { body: string }) => {
    const { refreshToken } = (JSON.parse(init.body) as { variables: { refreshToken: string } }).variables;
    // Responses arrive with different delays and out of order.
    for (let wait = (api.exchanges * 7 + api.repeats) % 5; wait > 0; wait--) await Promise.resolve();
    if (rotated.has(refreshToken)) api.repeats++;
    else api.exchanges++;
    if (rotated.has(refreshToken) && !forgiving) api.ended = true;
    if (api.ended) {
      const errors = [{ message: "No.", extensions: { code: "UNAUTHENTICATED" } }];
      return mockGraphqlResponse({ data: null, errors });
    }
    rotated.add(refreshToken);
    const serial = Number(refreshToken.replace("refresh-", "")) + 1;
    const session = { accessToken: createAccessToken({ serial }), refreshToken: `refresh-${serial}`, expiresIn: 600 };
    return mockGraphqlResponse({ data: { refreshSession: session } });
  });
  return api;
}

/** Simulates the lock browsers share between the tabs of a site. */
function installLocks() {
  let last: Promise<unknown> = Promise.resolve();
  const request = (_name: string, work: () => Promise<unknown>) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
}

async function refreshRepeatedly({ refreshSession, getSession }: Tab, times: number): Promise<string[]> {
  const outcomes: string[] = [];
  for (let n = 0; n < times; n++) outcomes.push(await refreshSession(getSession()?.accessToken ?? ""));
  return outcomes;
}

let tabs: [Tab, Tab];
beforeEach(async () => {
  resetSession();
  tabs = [await openTab(), await openTab()];
});
afterEach(() => Reflect.deleteProperty(navigator, "locks"));

test.each([
  ["with the browser's lock, without sending a token twice", true],
  ["without a lock, thanks to the API's grace period", false],
])("keeps two tabs signed in over 100 refreshes %s", async (_, locked) => {
  if (locked) installLocks();
  const api = simulateApi({ forgiving: !locked });
  signInAs("regular");
  const outcomes = (await Promise.all(tabs.map((tab) => refreshRepeatedly(tab, 50)))).flat();
  expect(outcomes).toEqual(Array(100).fill("refreshed"));
  for (const { getSession } of tabs) expect(getSession()?.refreshToken).toBe(`refresh-${api.exchanges + 1}`);
  // Check that the tabs really competed.
  expect(api.exchanges).toBeLessThan(100);
  if (locked) expect(api.repeats).toBe(0);
  else expect(api.repeats).toBeGreaterThan(0);
});
