import { gql } from "@apollo/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accessTokenOf, graphqlAnswer, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { createApolloClient } from "#web/platform/apollo.ts";
import { installNavigator } from "#web/platform/navigator.ts";
import { currentSession } from "#web/platform/session.ts";
import { messageOf } from "#web/platform/server-error.ts";

const QUERY = gql`
  query Thing {
    thing
  }
`;
const successor = { accessToken: accessTokenOf({ serial: 2 }), refreshToken: "refresh-2", expiresIn: 600 };
const problem = (code: string, message = "No.") => ({ data: null, errors: [{ message, extensions: { code } }] });

/** Answers by operation; keeps what was asked. */
let asked: { query: string; token: string | null }[];
let answers: { thing: (() => Response)[]; refresh: (() => Response)[] };
const goTo = vi.fn();
let uninstall: () => void;

beforeEach(() => {
  signedOut();
  asked = [];
  answers = { thing: [], refresh: [] };
  goTo.mockClear();
  uninstall = installNavigator(goTo);
  vi.stubGlobal("fetch", async (_url: string, init: { body: string; headers: HeadersInit }) => {
    const { operationName } = JSON.parse(init.body) as { operationName: string };
    const kind = operationName === "RefreshSession" ? "refresh" : "thing";
    asked.push({ query: kind, token: new Headers(init.headers).get("authorization") });
    const answer = answers[kind].shift();
    if (!answer) throw new TypeError("Failed to fetch");
    return answer();
  });
});
afterEach(() => uninstall());

const ask = () => createApolloClient().query({ query: QUERY });
const good = () => graphqlAnswer({ data: { thing: "here" } });

test("a signed-in user's calls carry the access token, a visitor's none", async () => {
  answers.thing = [good, good];
  await ask();
  const token = signInAs("regular");
  await ask();
  expect(asked.map((one) => one.token)).toEqual([null, `Bearer ${token}`]);
});

test.each([200, 401])(
  "UNAUTHENTICATED under status %i: one refresh, one retry, and the caller sees the answer",
  async (status) => {
    const stale = signInAs("regular");
    answers.thing = [() => graphqlAnswer(problem("UNAUTHENTICATED"), status), good];
    answers.refresh = [() => graphqlAnswer({ data: { refreshSession: successor } })];
    expect((await ask()).data).toEqual({ thing: "here" });
    expect(asked).toEqual([
      { query: "thing", token: `Bearer ${stale}` },
      { query: "refresh", token: null },
      { query: "thing", token: `Bearer ${successor.accessToken}` },
    ]);
  },
);

test("a retry that is refused again is not retried", async () => {
  signInAs("regular");
  answers.thing = [() => graphqlAnswer(problem("UNAUTHENTICATED")), () => graphqlAnswer(problem("UNAUTHENTICATED"))];
  answers.refresh = [() => graphqlAnswer({ data: { refreshSession: successor } })];
  await expect(ask()).rejects.toThrow();
  expect(asked).toHaveLength(3);
});

test("a refused refresh removes the session and leads to sign-in", async () => {
  signInAs("regular");
  answers.thing = [() => graphqlAnswer(problem("UNAUTHENTICATED"))];
  answers.refresh = [() => graphqlAnswer(problem("UNAUTHENTICATED"))];
  await expect(ask()).rejects.toThrow();
  expect(currentSession()).toBeNull();
  expect(goTo).toHaveBeenCalledWith(expect.stringMatching(/^\/login\/\?returnUrl=/), { replace: true });
});

test("a page whose guard has led to the sign-in page already is left there", async () => {
  signInAs("regular");
  answers.thing = [() => graphqlAnswer(problem("UNAUTHENTICATED"))];
  answers.refresh = [() => graphqlAnswer(problem("UNAUTHENTICATED"))];
  window.history.replaceState(null, "", "/login/?returnUrl=%2Fmy-account%2F");
  try {
    await ask().catch(() => undefined);
    expect(currentSession()).toBeNull();
    expect(goTo).not.toHaveBeenCalled();
  } finally {
    window.history.replaceState(null, "", "/");
  }
});

test("a visitor's UNAUTHENTICATED is the caller's business", async () => {
  answers.thing = [() => graphqlAnswer(problem("UNAUTHENTICATED"))];
  await expect(ask()).rejects.toThrow();
  expect(asked).toHaveLength(1);
  expect(goTo).not.toHaveBeenCalled();
});

test("FORBIDDEN leads to the 403 page", async () => {
  signInAs("regular");
  answers.thing = [() => graphqlAnswer(problem("FORBIDDEN"))];
  await expect(ask()).rejects.toThrow();
  expect(goTo).toHaveBeenCalledWith("/pages/error-403", { replace: true });
});

test("an admin who has to set two-step sign-in up is led there, with the place to come back to", async () => {
  signInAs("admin");
  const extensions = { code: "FORBIDDEN", reason: "SET_UP_TWO_STEP" };
  answers.thing = [() => graphqlAnswer({ data: null, errors: [{ message: "Set it up first.", extensions }] })];
  await expect(ask()).rejects.toThrow();
  expect(goTo).toHaveBeenCalledWith("/two-step-sign-in/", { replace: true, state: { from: "/" } });
});

test.each([
  ["no answer", []],
  ["a proxy's page", [() => new Response("<h1>Bad gateway</h1>", { status: 502 })]],
])("%s leads to maintenance, which remembers the place", async (_, thing) => {
  answers.thing = thing;
  await expect(ask()).rejects.toThrow();
  expect(goTo).toHaveBeenCalledWith("/pages/maintenance", { state: { from: "/" } });
});

test("an operation that stays on its page is told of a lost answer and led nowhere", async () => {
  answers.thing = [];
  await expect(createApolloClient().query({ query: QUERY, context: { staysOnPage: true } })).rejects.toThrow();
  expect(goTo).not.toHaveBeenCalled();
});

const MUTATION = gql`
  mutation Thing {
    thing
  }
`;

test("a mutation without an answer stays where it is", async () => {
  answers.thing = [];
  await expect(createApolloClient().mutate({ mutation: MUTATION })).rejects.toThrow();
  expect(goTo).not.toHaveBeenCalled();
});

test("a mutation refused before GraphQL shows the server's sentence and stays where it is", async () => {
  answers.thing = [() => Response.json({ Message: "Please wait a minute.", requestId: "r-1" }, { status: 500 })];
  const error: unknown = await createApolloClient()
    .mutate({ mutation: MUTATION })
    .catch((caught: unknown) => caught);
  expect(messageOf(error, "Unable to subscribe.")).toBe("Please wait a minute.");
  expect(goTo).not.toHaveBeenCalled();
});

test("a later query of a page that has loaded stays where it is", async () => {
  const client = createApolloClient();
  answers.thing = [good];
  await client.query({ query: QUERY });
  await expect(client.query({ query: QUERY, fetchPolicy: "network-only" })).rejects.toThrow();
  expect(goTo).not.toHaveBeenCalled();
});

test("an error without any text says to look at the console, which has the error and its request once", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const error = { errors: [{ message: "", extensions: { requestId: "r-1" } }] };
  const words = [messageOf(error), messageOf(error)];
  expect(words).toEqual(Array(2).fill("Oops, something went wrong. Check the console logs for details."));
  expect(log.mock.calls).toEqual([[error, { requestId: "r-1" }]]);
  log.mockRestore();
});

test("no answer to the refresh leads to maintenance and keeps the session", async () => {
  signInAs("regular");
  answers.thing = [() => graphqlAnswer(problem("UNAUTHENTICATED"))];
  await expect(ask()).rejects.toThrow();
  expect(goTo).toHaveBeenCalledWith("/pages/maintenance", { state: { from: "/" } });
  expect(currentSession()).not.toBeNull();
});

test.each(["UNAVAILABLE", "CONFLICT"])(
  "%s is the caller's, with the server's sentence, whatever the status",
  async (code) => {
    answers.thing = [() => graphqlAnswer(problem(code, "Please wait a minute."), 503)];
    const error: unknown = await ask().catch((caught: unknown) => caught);
    expect(messageOf(error, "Unable to load the data.")).toBe("Please wait a minute.");
    expect(goTo).not.toHaveBeenCalled();
  },
);
