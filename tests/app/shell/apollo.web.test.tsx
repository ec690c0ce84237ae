import { gql } from "@apollo/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAccessToken, mockGraphqlResponse, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { createApolloClient } from "#web/platform/data-layer.tsx";
import { installNavigator } from "#web/platform/navigator.ts";
import { getSession } from "#web/platform/session.ts";
import { formatError } from "#web/platform/server-error.ts";

const QUERY = gql`query Thing { thing }`;
const successor = { accessToken: createAccessToken({ serial: 2 }), refreshToken: "refresh-2", expiresIn: 600 };
const problem = (code: string, message = "No.") => ({ data: null, errors: [{ message, extensions: { code } }] });

/** Requests that were sent, and the responses to return for each operation. */
let sent: { query: string; token: string | null }[];
let answers: { thing: (() => Response)[]; refresh: (() => Response)[] };
const goTo = vi.fn();
let uninstall: () => void;

beforeEach(() => {
  resetSession();
  sent = [];
  answers = { thing: [], refresh: [] };
  goTo.mockClear();
  uninstall = installNavigator(goTo);
  vi.stubGlobal("fetch", async (_url: string, init: { body: string; headers: HeadersInit }) => {
    const { operationName } = JSON.parse(init.body) as { operationName: string };
    const kind = operationName === "RefreshSession" ? "refresh" : "thing";
    sent.push({ query: kind, token: new Headers(init.headers).get("authorization") });
    const answer = answers[kind].shift();
    if (!answer) throw new TypeError("Failed to fetch");
    return answer();
  });
});
afterEach(() => uninstall());

const runQuery = () => createApolloClient().query({ query: QUERY });
const unauthenticated = () => mockGraphqlResponse(problem("UNAUTHENTICATED"));
const good = () => mockGraphqlResponse({ data: { thing: "here" } });

test("sends the access token of a signed-in user and none for a visitor", async () => {
  answers.thing = [good, good];
  await runQuery();
  const token = signInAs("regular");
  await runQuery();
  expect(sent.map((one) => one.token)).toEqual([null, `Bearer ${token}`]);
});

test("refreshes and retries after UNAUTHENTICATED, whatever the status, but only once", async () => {
  for (const status of [200, 401]) {
    sent = [];
    const stale = signInAs("regular");
    answers.thing = [() => mockGraphqlResponse(problem("UNAUTHENTICATED"), status), good];
    answers.refresh = [() => mockGraphqlResponse({ data: { refreshSession: successor } })];
    expect((await runQuery()).data).toEqual({ thing: "here" });
    expect(sent).toEqual([
      { query: "thing", token: `Bearer ${stale}` },
      { query: "refresh", token: null },
      { query: "thing", token: `Bearer ${successor.accessToken}` },
    ]);
  }
  sent = [];
  signInAs("regular");
  answers.thing = [unauthenticated, unauthenticated];
  answers.refresh = [() => mockGraphqlResponse({ data: { refreshSession: successor } })];
  await expect(runQuery()).rejects.toThrow();
  expect(sent).toHaveLength(3);
});

test("removes the session and opens sign-in when the refresh is rejected, unless the guard has already opened it", async () => {
  for (const at of ["/login/?returnUrl=%2Fmy-account%2F", "/"]) {
    signInAs("regular");
    answers = { thing: [unauthenticated], refresh: [unauthenticated] };
    window.history.replaceState(null, "", at);
    await expect(runQuery()).rejects.toThrow();
    expect(getSession()).toBeNull();
    expect(goTo).toHaveBeenCalledTimes(at === "/" ? 1 : 0);
  }
  expect(goTo).toHaveBeenCalledWith(expect.stringMatching(/^\/login\/\?returnUrl=/), { replace: true });
});

test("passes a visitor's UNAUTHENTICATED error to the caller", async () => {
  answers.thing = [unauthenticated];
  await expect(runQuery()).rejects.toThrow();
  expect(sent).toHaveLength(1);
  expect(goTo).not.toHaveBeenCalled();
});

test("opens the 403 page after FORBIDDEN, or two-step sign-in for an admin who must set it up", async () => {
  signInAs("admin");
  for (const [reason, place] of [
    [undefined, ["/pages/error-403", { replace: true }]],
    ["SET_UP_TWO_STEP", ["/two-step-sign-in/", { replace: true, state: { from: "/" } }]],
  ] as const) {
    goTo.mockClear();
    const errors = [{ message: "No.", extensions: { code: "FORBIDDEN", reason } }];
    answers.thing = [() => mockGraphqlResponse({ data: null, errors })];
    await expect(runQuery()).rejects.toThrow();
    expect(goTo.mock.calls).toEqual([place]);
  }
});

test("opens the maintenance page without a response or after a proxy's page, and remembers the page to return to", async () => {
  for (const thing of [[], [() => new Response("<h1>Bad gateway</h1>", { status: 502 })]]) {
    goTo.mockClear();
    answers.thing = thing;
    await expect(runQuery()).rejects.toThrow();
    expect(goTo.mock.calls).toEqual([["/pages/maintenance", { replace: true, state: { from: "/" } }]]);
  }
});

const MUTATION = gql`mutation Thing { thing }`;

test("reports a lost response without navigating after a mutation, or if the operation stays on its page", async () => {
  const client = createApolloClient();
  await expect(client.query({ query: QUERY, context: { staysOnPage: true } })).rejects.toThrow();
  await expect(client.mutate({ mutation: MUTATION })).rejects.toThrow();
  expect(goTo).not.toHaveBeenCalled();
});

test("shows the server's message without navigating if a mutation is rejected before it reaches GraphQL", async () => {
  answers.thing = [() => Response.json({ Message: "Please wait a minute.", requestId: "r-1" }, { status: 500 })];
  const client = createApolloClient();
  const error: unknown = await client.mutate({ mutation: MUTATION }).catch((caught: unknown) => caught);
  expect(formatError(error, "Unable to subscribe.")).toBe("Please wait a minute.");
  expect(goTo).not.toHaveBeenCalled();
});

test("doesn't navigate if a later query fails on a page that has already loaded", async () => {
  const client = createApolloClient();
  answers.thing = [good];
  await client.query({ query: QUERY });
  await expect(client.query({ query: QUERY, fetchPolicy: "network-only" })).rejects.toThrow();
  expect(goTo).not.toHaveBeenCalled();
});

test("refers to the console for an error without text and logs it once with its request id", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const error = { errors: [{ message: "", extensions: { requestId: "r-1" } }] };
  const messages = [formatError(error), formatError(error)];
  expect(messages).toEqual(Array(2).fill("Oops, something went wrong. Check the console logs for details."));
  expect(log.mock.calls).toEqual([[error, { requestId: "r-1" }]]);
  log.mockRestore();
});

test("opens the maintenance page and keeps the session when the refresh gets no response", async () => {
  signInAs("regular");
  answers.thing = [unauthenticated];
  await expect(runQuery()).rejects.toThrow();
  expect(goTo).toHaveBeenCalledWith("/pages/maintenance", { replace: true, state: { from: "/" } });
  expect(getSession()).not.toBeNull();
});

test("passes UNAVAILABLE and CONFLICT with the server's message to the caller", async () => {
  for (const code of ["UNAVAILABLE", "CONFLICT"]) {
    answers.thing = [() => mockGraphqlResponse(problem(code, "Please wait a minute."), 503)];
    const error: unknown = await runQuery().catch((caught: unknown) => caught);
    expect(formatError(error, "Unable to load the data.")).toBe("Please wait a minute.");
  }
  expect(goTo).not.toHaveBeenCalled();
});
