import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accessTokenOf, graphqlAnswer, signedOut, signInAs } from "#tests/support/render-web.tsx";

/** One tab: modules of its own over the storage that tabs share. */
async function openTab() {
  vi.resetModules();
  const { refreshSession } = await import("#web/platform/refresh-session.ts");
  const { currentSession } = await import("#web/platform/session.ts");
  return { refreshSession, currentSession };
}
type Tab = Awaited<ReturnType<typeof openTab>>;

/** Plays the api: every token has one successor; repeated within the grace it is answered again, later it is theft. */
function playRefreshing({ forgiving }: { forgiving: boolean }) {
  const played = { exchanges: 0, repeats: 0, ended: false };
  const rotated = new Set<string>();
  vi.stubGlobal("fetch", async (_url: string, init: { body: string }) => {
    const { refreshToken } = (JSON.parse(init.body) as { variables: { refreshToken: string } }).variables;
    // Answers come at different times, and not in the order of the questions.
    for (let wait = (played.exchanges * 7 + played.repeats) % 5; wait > 0; wait--) await Promise.resolve();
    if (rotated.has(refreshToken)) played.repeats++;
    else played.exchanges++;
    if (rotated.has(refreshToken) && !forgiving) played.ended = true;
    if (played.ended) {
      const errors = [{ message: "No.", extensions: { code: "UNAUTHENTICATED" } }];
      return graphqlAnswer({ data: null, errors });
    }
    rotated.add(refreshToken);
    const serial = Number(refreshToken.replace("refresh-", "")) + 1;
    const session = { accessToken: accessTokenOf({ serial }), refreshToken: `refresh-${serial}`, expiresIn: 600 };
    return graphqlAnswer({ data: { refreshSession: session } });
  });
  return played;
}

/** The lock that browsers give the tabs of one site. */
function lendLocks() {
  let last: Promise<unknown> = Promise.resolve();
  const request = (_name: string, work: () => Promise<unknown>) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
}

/** Finds its access token refused, so many times, and refreshes it. */
async function storm({ refreshSession, currentSession }: Tab, times: number): Promise<string[]> {
  const outcomes: string[] = [];
  for (let n = 0; n < times; n++) outcomes.push(await refreshSession(currentSession()?.accessToken ?? ""));
  return outcomes;
}

let tabs: [Tab, Tab];
beforeEach(async () => {
  signedOut();
  tabs = [await openTab(), await openTab()];
});
afterEach(() => Reflect.deleteProperty(navigator, "locks"));

test.each([
  ["under the browser's lock, where not one token is sent twice", true],
  ["without a lock, by the grace of the api", false],
])("1,000 refreshes over two tabs sign nobody out %s", async (_, locked) => {
  if (locked) lendLocks();
  const played = playRefreshing({ forgiving: !locked });
  signInAs("regular");
  const outcomes = (await Promise.all(tabs.map((tab) => storm(tab, 500)))).flat();
  expect(outcomes).toEqual(Array(1_000).fill("refreshed"));
  for (const { currentSession } of tabs) expect(currentSession()?.refreshToken).toBe(`refresh-${played.exchanges + 1}`);
  // They did get into each other's way.
  expect(played.exchanges).toBeLessThan(1_000);
  if (locked) expect(played.repeats).toBe(0);
  else expect(played.repeats).toBeGreaterThan(0);
});
