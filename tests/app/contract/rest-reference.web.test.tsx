import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Html, renderIndexFrame } from "../../../scripts/content/rest-reference/html.ts";
import type { OpenApi } from "../../../scripts/content/rest-reference/openapi-types.ts";
import { readReference } from "../../../scripts/content/rest-reference/read-reference.ts";
import { renderReference } from "../../../scripts/content/rest-reference/render-reference.ts";
import { buildUrl, extractCurlBody, sendCall, type TryableCall } from "#web/site/rest-reference/send-call.ts";
import { RestReference } from "#web/site/rest-reference/rest-reference.tsx";
import { pastedToken } from "#web/site/rest-reference/try-it.tsx";
import { renderPage } from "#tests/support/render-page.tsx";
import { mockGraphqlResponse, resetSession, signInAs, simulateOtherTab } from "#tests/support/render-web.tsx";

const json = (example: unknown) => ({ content: { "application/json": { example } } });
const requestBody = json({ name: "It's new" });
const document: OpenApi = {
  openapi: "3.1.0",
  info: { title: "T", version: "1" },
  paths: {
    "/v1/things/{thingId}": {
      get: {
        tags: ["Things"],
        summary: "A thing",
        security: [{ bearer: [] }],
        parameters: [
          { name: "thingId", in: "path", required: true, schema: { type: "string" } },
          { name: "page", in: "query", schema: { type: "integer" } },
        ],
        responses: { "200": { description: "Done.", ...json({ id: 1 }) }, "409": { description: "Rusty" } },
      },
    },
    "/v1/things": {
      post: { tags: ["Things"], summary: "Make a thing", requestBody, responses: { "200": { description: "Done." } } },
    },
    "/v1/card": {
      get: {
        tags: ["Things"],
        summary: "My card",
        security: [{ bearer: [] }],
        "x-scope": "session",
        responses: { "200": { description: "Done." } },
      },
    },
    "/v1/people": { get: { tags: ["People"], summary: "Everybody", responses: { "200": { description: "Done." } } } },
  },
};
const chapters = '<h2 id="errors">Errors</h2><p>What went wrong.</p>';

async function openReference() {
  const html = renderReference(readReference(document), chapters);
  const view = await renderPage(<RestReference load={async () => html} />, "/v1/docs/");
  await screen.findByRole("heading", { level: 3, name: "A thing" });
  return view;
}

const shownInIndex = () =>
  [...screen.getByRole("navigation", { name: "Contents" }).querySelectorAll("li")]
    .filter((item) => !item.hidden)
    .map((item) => item.querySelector("a")?.getAttribute("href"));

/** Opens the panel that sends a call. */
function openPanel(callId: string) {
  const details = window.document.querySelector(`#${callId} details.try`) as HTMLDetailsElement;
  details.open = true;
  fireEvent(details, new Event("toggle"));
  return within(details);
}

beforeEach(resetSession);
afterEach(() => {
  pastedToken.set("");
  vi.unstubAllGlobals();
});

test("filters the index by name, then by text, then by similar words, and restores it on Escape", async () => {
  const { user } = await openReference();
  const box = screen.getByRole("searchbox", { name: "Search" });
  await user.type(box, "thing make");
  expect(shownInIndex()).toEqual(["#post-v1-things"]);
  expect(screen.getByText("1 result")).toBeTruthy();
  await user.clear(box);
  await user.type(box, "rusty");
  expect(shownInIndex()).toEqual(["#get-v1-things-thingid"]);
  expect(screen.getByText("1 result in fields and descriptions")).toBeTruthy();
  await user.clear(box);
  await user.type(box, "pepole");
  expect(await screen.findByText("1 result with similar words")).toBeTruthy();
  expect(shownInIndex()).toEqual(["#get-v1-people"]);
  await user.type(box, "zzz");
  expect(shownInIndex()).toEqual([]);
  expect(screen.getByText("No results")).toBeTruthy();
  await user.keyboard("{Escape}");
  expect(shownInIndex()).toHaveLength(5);
});

test("finds a section of another page by its own words, also if this page has one with the same id", async () => {
  const list = `<ul><li><a href="#errors">Errors</a></li></ul>
    <ul><li><a href="/docs/webhooks/#errors" data-words="x-signature">Errors</a></li></ul>`;
  const chapter = '<section class="chapter"><h2 id="errors">Errors</h2><p>Retry later.</p></section>';
  const html = renderIndexFrame("", "Contents", new Html(list)).text + chapter;
  const { user } = await renderPage(<RestReference id="guide" load={async () => html} />, "/docs/");
  const box = await screen.findByRole("searchbox", { name: "Search" });
  await user.type(box, "retry");
  expect(shownInIndex()).toEqual(["#errors"]);
  await user.clear(box);
  await user.type(box, "signature");
  expect(shownInIndex()).toEqual(["/docs/webhooks/#errors"]);
});

test("selects the language of all samples by keyboard and remembers it", async () => {
  const { user, unmount } = await openReference();
  const tabs = () => screen.getAllByRole("tab", { name: "C#" });
  const [curl] = screen.getAllByRole("tab", { name: "curl" });
  curl?.focus();
  await user.keyboard("{End}");
  expect(tabs().map((tab) => tab.getAttribute("aria-selected"))).toEqual(["true", "true", "true", "true"]);
  expect(window.document.activeElement).toBe(tabs()[0]);
  await user.keyboard("{ArrowRight}");
  expect(screen.getAllByRole("tab", { selected: true })[0]?.textContent).toBe("curl");
  await user.keyboard("{ArrowLeft}");
  unmount();
  await openReference();
  expect(tabs()[0]?.getAttribute("aria-selected")).toBe("true");
});

test("sends a call with the typed values and pasted token and shows the response", async () => {
  const headers = { "content-type": "application/json", "x-request-id": "r-1" };
  const body = '{"Message":"Unable to access page."}';
  const fetched = vi.fn<typeof fetch>(async () => new Response(body, { status: 403, headers }));
  vi.stubGlobal("fetch", fetched);
  const { user } = await openReference();
  const panel = openPanel("get-v1-things-thingid");
  await user.type(await panel.findByLabelText("thingId"), "a/b");
  await user.type(panel.getByLabelText(/^page/), "2");
  const signIn = panel.getByRole("link", { name: "Sign in" });
  expect(signIn.getAttribute("href")).toBe("/login/?returnUrl=%2Fv1%2Fdocs%2F%23get-v1-things-thingid");
  await user.type(panel.getByLabelText(/^Personal access token/), "xpat_secret");
  expect(panel.queryByText("This call changes data.")).toBeNull();
  await user.click(panel.getByRole("button", { name: "Send GET" }));
  await waitFor(() => expect(panel.getByRole("status").textContent).toMatch(/^403 in \d+ ms/));
  expect(panel.getByRole("group", { name: "Response" }).textContent).toContain('"Message": "Unable');
  const [address, options] = fetched.mock.calls[0] ?? [];
  expect(address).toBe("/v1/things/a%2Fb?page=2");
  expect(options).toMatchObject({ method: "GET", headers: { Authorization: "Bearer xpat_secret" } });
});

test("sends a call that takes no token with the session, also while another panel has a token", async () => {
  const fetched = vi.fn<typeof fetch>(async () => Response.json(true));
  vi.stubGlobal("fetch", fetched);
  const accessToken = signInAs("regular");
  pastedToken.set("xpat_secret");
  const { user } = await openReference();
  const panel = openPanel("get-v1-card");
  expect(await panel.findByText(/^Sent as /)).toBeTruthy();
  expect(panel.queryByLabelText(/^Personal access token/)).toBeNull();
  await user.click(panel.getByRole("button", { name: "Send GET" }));
  await waitFor(() => expect(panel.getByRole("status").textContent).toMatch(/^200 in/));
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ headers: { Authorization: `Bearer ${accessToken}` } });
});

test("removes a response when the user signs out in another tab, and shows none that arrives later", async () => {
  const fetched = vi.fn<typeof fetch>(async () => Response.json({ last4: "4242" }));
  vi.stubGlobal("fetch", fetched);
  signInAs("regular");
  const { user } = await openReference();
  const panel = openPanel("get-v1-card");
  const button = await panel.findByRole("button", { name: "Send GET" });
  await user.click(button);
  expect((await panel.findByRole("group", { name: "Response" })).textContent).toContain("4242");
  act(() => simulateOtherTab(null));
  expect(panel.queryByRole("group", { name: "Response" })).toBeNull();
  act(() => void signInAs("regular"));
  const late = Promise.withResolvers<Response>();
  fetched.mockReturnValueOnce(late.promise);
  await user.click(button);
  act(() => simulateOtherTab(null));
  late.resolve(Response.json({ last4: "4242" }));
  await waitFor(() => expect(button.hasAttribute("aria-busy")).toBe(false));
  expect(panel.queryByRole("group", { name: "Response" })).toBeNull();
});

test("shows the 401 of a session that has ended", async () => {
  const refused = { errors: [{ message: "Ended.", extensions: { code: "UNAUTHENTICATED" } }] };
  vi.stubGlobal("fetch", async (url: string) => mockGraphqlResponse(refused, url === "/graphql" ? 200 : 401));
  signInAs("regular");
  const { user } = await openReference();
  const panel = openPanel("get-v1-card");
  await user.click(await panel.findByRole("button", { name: "Send GET" }));
  await waitFor(() => expect(panel.getByRole("status").textContent).toMatch(/^401 in/));
  expect(panel.getByText(/^You're not signed in/)).toBeTruthy();
});

test("forgets a pasted token when the user signs out, but not when the session is refreshed", () => {
  signInAs("regular");
  pastedToken.set("xpat_secret");
  signInAs("regular", { serial: 2 });
  expect(pastedToken.get()).toBe("xpat_secret");
  resetSession();
  expect(pastedToken.get()).toBe("");
});

test("warns about a call that changes data and sends its example", async () => {
  const fetched = vi.fn<typeof fetch>(async () => Promise.reject(new TypeError("offline")));
  vi.stubGlobal("fetch", fetched);
  const { user } = await openReference();
  const panel = openPanel("post-v1-things");
  expect(await panel.findByText("This call changes data.")).toBeTruthy();
  await user.click(panel.getByRole("button", { name: "Send POST" }));
  expect(await panel.findByText(/We couldn't reach the server/)).toBeTruthy();
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: "POST", body: '{\n  "name": "It\'s new"\n}' });
});

test("fills in the URL and reads the body from its example", () => {
  const call = { path: "/v1/a/{b}", inQuery: [{ name: "c", required: false }] } as unknown as TryableCall;
  expect(buildUrl(call, { b: " é ", c: " " })).toBe("/v1/a/%C3%A9");
  expect(extractCurlBody(String.raw`curl "x" \ -H "y" \ -d '{"a": "it'\''s"}'`)).toBe('{"a": "it\'s"}');
  expect(extractCurlBody('curl "x"')).toBe("");
});

test("shows the name and size of a file instead of its contents", async () => {
  vi.stubGlobal("fetch", async () => {
    const headers = {
      "content-type": "application/pdf",
      "content-disposition": 'attachment; filename="Invoice-7.pdf"',
    };
    return new Response("x".repeat(1_234), { headers });
  });
  const received = await sendCall({ method: "GET", url: "/v1/x", body: null, caller: "nobody" });
  expect(received.text).toBe("Invoice-7.pdf, 1,234 bytes");
});
