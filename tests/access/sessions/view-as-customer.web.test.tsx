import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { act, render, screen, waitFor } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { VIEW_ONLY } from "#schema/error-codes.ts";
import { accessTokenOf, graphqlAnswer, renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { App } from "#web/app/app.tsx";
import { createApolloClient } from "#web/platform/apollo.ts";
import { currentSession, SESSION_KEY, startView, VIEW_KEY } from "#web/platform/session.ts";
import { ViewBanner } from "#web/app/router.tsx";
import { signOut } from "#web/access/sessions/sign-out.ts";
import { ViewAsButton } from "#web/access/sessions/view-as-button.tsx";
import {
  EndOtherSessionsDocument,
  SessionsDocument,
  ViewableUserDocument,
  ViewAsCustomerDocument,
} from "#web/generated/graphql.ts";
import ViewAsPage from "#web/pages/admin/view-as.tsx";
import { notify } from "#web/platform/notifications.ts";

type Mock = MockLink.MockedResponse;

const view = (role: "regular" | "corporate" = "regular") => accessTokenOf({ id: "customer-1", role });
const begin = (expiresIn = 900) => act(() => startView({ accessToken: view(), expiresIn }));

beforeEach(() => {
  signedOut();
  notify.clear();
  signInAs("admin", { id: "admin-1" });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a view stands in its tab alone, before the browser's own session, which stays as it was", () => {
  const own = localStorage.getItem(SESSION_KEY);
  begin();
  expect(currentSession()).toMatchObject({ isView: true, claims: { id: "customer-1", role: "regular" } });
  expect(localStorage.getItem(SESSION_KEY)).toBe(own);
  expect(Object.keys(localStorage)).toEqual([SESSION_KEY]);
});

test("the banner says as whom, that it is read-only, and what is left, second by second", async () => {
  await import("#web/app/view-banner-bar.tsx");
  vi.useFakeTimers();
  begin();
  await act(async () => void render(<ViewBanner />));
  const banner = screen.getByRole("status");
  expect(banner.textContent).toContain("You are viewing the portal as");
  expect(banner.textContent).toContain("Ada Lövgren · read-only");
  expect(screen.getByText("15:00")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(61_000));
  expect(screen.getByText("13:59")).toBeTruthy();
  // What changes every second is not read out every second.
  expect(banner.textContent).not.toContain("13:59");
});

test("nobody else sees a banner", () => {
  render(<ViewBanner />);
  expect(screen.queryByRole("status")).toBeNull();
});

const openPortal = (at: string) =>
  render(
    <MemoryRouter initialEntries={[at]}>
      <App env="test" />
    </MemoryRouter>,
  );

test("when the time is over a clear page stands on every address, until the admin goes on as themselves", async () => {
  // What the pages ask stays unanswered: this is about what stands in their place.
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => {}));
  begin(1);
  openPortal("/contact-us/");
  expect(await screen.findByRole("heading", { level: 1, name: "Viewing Has Ended" }, { timeout: 5_000 })).toBeTruthy();
  expect(sessionStorage.getItem(VIEW_KEY)).toBe("over");
  expect(currentSession()).toBeNull();
  expect(screen.queryByText(/You are viewing the portal as/)).toBeNull();
  act(() => screen.getByRole("link", { name: "Admin" }).click());
  await waitFor(() => expect(currentSession()?.claims.id).toBe("admin-1"));
  expect(sessionStorage.getItem(VIEW_KEY)).toBeNull();
  expect(screen.queryByRole("heading", { name: "Viewing Has Ended" })).toBeNull();
});

test("Stop Viewing ends it here and on the server, with the view's own token, and nothing of the admin's", async () => {
  const own = localStorage.getItem(SESSION_KEY);
  const asked: RequestInit[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (_, request = {}) => {
    asked.push(request);
    return graphqlAnswer({ data: { signOut: true } });
  });
  begin();
  openPortal("/contact-us/");
  act(() => screen.getByRole("button", { name: "Stop Viewing" }).click());
  expect(await screen.findByRole("heading", { level: 1, name: "Viewing Has Ended" })).toBeTruthy();
  const stop = asked.find(({ body }) => typeof body === "string" && body.includes("StopViewing"));
  expect(new Headers(stop?.headers).get("authorization")).toBe(`Bearer ${view()}`);
  expect(localStorage.getItem(SESSION_KEY)).toBe(own);
});

test("logging out in a view stops the view, and leaves the browser's storage alone", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => graphqlAnswer({ data: { signOut: true } }));
  localStorage.setItem("something-else", "kept");
  begin();
  await signOut();
  expect(currentSession()).toBeNull();
  expect(sessionStorage.getItem(VIEW_KEY)).toBe("over");
  expect(Object.keys(localStorage).toSorted()).toEqual(["something-else", SESSION_KEY].toSorted());
});

test("what would change something is answered with the sentence, and the page stays", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    graphqlAnswer({
      data: null,
      errors: [{ message: VIEW_ONLY, extensions: { code: "FORBIDDEN", reason: "VIEW_ONLY" } }],
    }),
  );
  begin();
  const { place } = renderWeb(null, { at: "/sessions/" });
  await expect(createApolloClient().mutate({ mutation: EndOtherSessionsDocument })).rejects.toThrow();
  expect((await screen.findByRole("alert")).textContent).toContain(VIEW_ONLY);
  expect(place()).toBe("/sessions/");
});

test("a view that the server ended is over here: no refresh, no sign-in page", async () => {
  let asked = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    asked += 1;
    return graphqlAnswer({ data: null, errors: [{ message: "", extensions: { code: "UNAUTHENTICATED" } }] });
  });
  begin();
  await expect(createApolloClient().query({ query: SessionsDocument })).rejects.toThrow();
  expect(sessionStorage.getItem(VIEW_KEY)).toBe("over");
  expect(asked).toBe(1);
  expect(localStorage.getItem(SESSION_KEY)).not.toBeNull();
});

const viewable = (memberType: number, isActive = true): Mock => ({
  request: { query: ViewableUserDocument, variables: { id: "customer-1" } },
  result: { data: { user: { __typename: "User", id: "customer-1", memberType, isActive } } },
});
const opened = (result: object): Mock => ({
  request: { query: ViewAsCustomerDocument, variables: { userId: "customer-1" } },
  result,
});
const tokens = { __typename: "CustomerView", accessToken: view(), expiresIn: 900 };

function button(mocks: Mock[]) {
  return renderWeb(
    <MockedProvider mocks={mocks}>
      <ViewAsButton userId="customer-1" />
    </MockedProvider>,
  );
}

/** What the browser would open, as the tab sees it. */
function stubOpen(): () => string {
  let target = "";
  vi.spyOn(window, "open").mockImplementation((url, name, features) => {
    expect([name, features]).toEqual(["_blank", "noopener"]);
    target = String(url);
    return null;
  });
  return () => target;
}

test("View As Customer opens a tab, hands the view to it alone, and the token stands in no address", async () => {
  const target = stubOpen();
  const { user } = button([viewable(1), opened({ data: { viewAsCustomer: tokens } })]);
  await user.click(await screen.findByRole("button", { name: "View As Customer" }));
  expect(target()).toMatch(/^\/view-as\/#[0-9a-f]{32}$/);
  renderWeb(<ViewAsPage />, { at: target() });
  await waitFor(() => expect(screen.getAllByTestId("place").at(-1)?.textContent).toBe("/my-account/"));
  expect(currentSession()).toMatchObject({ isView: true, claims: { id: "customer-1" } });
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "View As Customer" }).getAttribute("aria-busy")).toBeNull(),
  );
});

test("a refusal is read in the tab that was opened for it", async () => {
  const target = stubOpen();
  const message = "You can view the portal only as a customer with an active account.";
  const refusal = { errors: [new GraphQLError(message, { extensions: { code: "CONFLICT" } })] };
  const { user } = button([viewable(2), opened(refusal)]);
  await user.click(await screen.findByRole("button", { name: "View As Customer" }));
  renderWeb(<ViewAsPage />, { at: target() });
  expect(await screen.findByText(message)).toBeTruthy();
  expect(sessionStorage.getItem(VIEW_KEY)).toBeNull();
});

test("a key that was used, or none, opens nothing", async () => {
  renderWeb(<ViewAsPage />, { at: "/view-as/" });
  expect(await screen.findByText("Please open this from a customer's page in the admin area.")).toBeTruthy();
});

test.each([
  ["another admin", viewable(3)],
  ["an archived customer", viewable(1, false)],
])("there is no button for %s", async (_, mock) => {
  button([mock]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole("button")).toBeNull();
});
