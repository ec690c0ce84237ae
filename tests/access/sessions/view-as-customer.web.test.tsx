import { act, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { createAccessToken, mockGraphqlResponse, renderWeb } from "#tests/support/render-web.tsx";
import { App } from "#web/app/app.tsx";
import { createApolloClient } from "#web/platform/data-layer.tsx";
import { getSession, SESSION_KEY, startView, VIEW_KEY } from "#web/platform/session.ts";
import { ViewBanner } from "#web/app/view-banner.tsx";
import { signOut } from "#web/access/sessions/sign-out.ts";
import { ViewAsButton } from "#web/access/sessions/view-as-button.tsx";
import { SessionsDocument, ViewableUserDocument, ViewAsCustomerDocument } from "#web/generated/graphql.ts";
import ViewAsPage from "#web/access/sessions/view-as-page.tsx";

const accessToken = createAccessToken({ id: "customer-1", role: "regular" });
const begin = (expiresIn = 900) => act(() => startView({ accessToken, expiresIn }));

beforeEach(() => startAs("admin", { id: "admin-1" }));

afterEach(() => void vi.useRealTimers());

test("shows the customer, read-only access and the remaining time in a banner", async () => {
  await import("#web/app/view-banner-bar.tsx");
  const { unmount } = render(<ViewBanner />);
  expect(screen.queryByRole("status")).toBeNull();
  unmount();
  vi.useFakeTimers();
  begin();
  await act(async () => void render(<ViewBanner />));
  const banner = screen.getByRole("status");
  expect(banner.textContent).toContain("You are viewing the portal as");
  expect(banner.textContent).toContain("Ada Lövgren · read-only");
  expect(screen.getByText("15:00")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(61_000));
  expect(screen.getByText("13:59")).toBeTruthy();
  // The banner must not announce every second to screen readers.
  expect(banner.textContent).not.toContain("13:59");
});

const openPortal = (at: string) =>
  render(
    <MemoryRouter initialEntries={[at]}>
      <App env="test" />
    </MemoryRouter>,
  );

test("shows the end page at every URL after the view expires, until the admin continues", async () => {
  // The requests of the pages stay pending, because only the replaced content matters here.
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => {}));
  begin(1);
  openPortal("/contact-us/");
  expect(await screen.findByRole("heading", { level: 1, name: "Viewing has ended" })).toBeTruthy();
  expect(sessionStorage.getItem(VIEW_KEY)).toBe("over");
  expect(getSession()).toBeNull();
  expect(screen.queryByText(/You are viewing the portal as/)).toBeNull();
  act(() => screen.getByRole("link", { name: "Admin" }).click());
  await waitFor(() => expect(getSession()?.claims.id).toBe("admin-1"));
  expect(sessionStorage.getItem(VIEW_KEY)).toBeNull();
  expect(screen.queryByRole("heading", { name: "Viewing has ended" })).toBeNull();
});

test("ends the view in the tab and on the server with the view's own token", async () => {
  const own = localStorage.getItem(SESSION_KEY);
  const requests: RequestInit[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (_, request = {}) => {
    requests.push(request);
    return mockGraphqlResponse({ data: { signOut: { __typename: "DeletedObject", id: "1" } } });
  });
  begin();
  // The view belongs to its own tab and leaves the browser's session unchanged.
  expect(getSession()).toMatchObject({ isView: true, claims: { id: "customer-1", role: "regular" } });
  expect(Object.keys(localStorage)).toEqual([SESSION_KEY]);
  openPortal("/contact-us/");
  act(() => screen.getByRole("button", { name: "Stop viewing" }).click());
  expect(await screen.findByRole("heading", { level: 1, name: "Viewing has ended" })).toBeTruthy();
  const stop = requests.find(({ body }) => typeof body === "string" && body.includes("StopViewing"));
  expect(new Headers(stop?.headers).get("authorization")).toBe(`Bearer ${accessToken}`);
  expect(localStorage.getItem(SESSION_KEY)).toBe(own);
});

test("stops only the view on logout and keeps the browser's storage", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    mockGraphqlResponse({ data: { signOut: { __typename: "DeletedObject", id: "1" } } }),
  );
  localStorage.setItem("something-else", "kept");
  begin();
  await signOut();
  expect(getSession()).toBeNull();
  expect(sessionStorage.getItem(VIEW_KEY)).toBe("over");
  expect(Object.keys(localStorage).toSorted()).toEqual(["something-else", SESSION_KEY].toSorted());
});

test("ends a view that the server has ended, without refreshing or redirecting to the login page", async () => {
  let requests = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    requests += 1;
    return mockGraphqlResponse({ data: null, errors: [{ message: "", extensions: { code: "UNAUTHENTICATED" } }] });
  });
  begin();
  await expect(createApolloClient().query({ query: SessionsDocument })).rejects.toThrow();
  expect(sessionStorage.getItem(VIEW_KEY)).toBe("over");
  expect(requests).toBe(1);
  expect(localStorage.getItem(SESSION_KEY)).not.toBeNull();
});

const mockViewableUser = (memberType: string, isActive = true) =>
  mockQuery(ViewableUserDocument, { id: "customer-1" }).returns({ user: { id: "customer-1", memberType, isActive } });
const viewing = mockQuery(ViewAsCustomerDocument, { userId: "customer-1" });

const button = (mocks: Mock[]) => renderMocked(mocks, <ViewAsButton userId="customer-1" />);

/** Replaces `window.open`. Returns a function that returns the opened URL. */
function stubOpen(): () => string {
  let target = "";
  vi.spyOn(window, "open").mockImplementation((url, name, features) => {
    expect([name, features]).toEqual(["_blank", "noopener"]);
    target = String(url);
    return null;
  });
  return () => target;
}

test("opens a tab and hands over the view without a token in the URL", async () => {
  const target = stubOpen();
  const started = viewing.returns({ viewAsCustomer: { accessToken, expiresIn: 900 } });
  const { user } = button([mockViewableUser("REGULAR"), started]);
  await user.click(await screen.findByRole("button", { name: "View as customer" }));
  await waitFor(() => expect(target()).toMatch(/^\/view-as\/#[0-9a-f]{32}$/));
  renderWeb(<ViewAsPage />, { at: target() });
  await waitFor(() => expect(screen.getAllByTestId("place").at(-1)?.textContent).toBe("/my-account/"));
  expect(getSession()).toMatchObject({ isView: true, claims: { id: "customer-1" } });
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "View as customer" }).getAttribute("aria-busy")).toBeNull(),
  );
});

test("shows a refusal without opening a tab, and where to start a view if the page is opened without a key", async () => {
  const { unmount } = renderWeb(<ViewAsPage />, { at: "/view-as/" });
  expect(await screen.findByText("Open this page from a customer's page in the admin area.")).toBeTruthy();
  unmount();
  const target = stubOpen();
  const message = "You can view the portal only as a customer with an active account.";
  const { user } = button([mockViewableUser("CORPORATE"), viewing.fails("CONFLICT", message)]);
  await user.click(await screen.findByRole("button", { name: "View as customer" }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(target()).toBe("");
  expect(sessionStorage.getItem(VIEW_KEY)).toBeNull();
});

test("names the browser's setting that keeps the view from reaching its tab", async () => {
  vi.stubGlobal("BroadcastChannel", function refuse() {
    throw new DOMException("The operation is insecure.", "SecurityError");
  });
  renderWeb(<ViewAsPage />, { at: "/view-as/#0123" });
  expect(await screen.findByText(/Allow cookies and site data for this site/)).toBeTruthy();
});

test("shows no button for another admin and an archived customer", async () => {
  for (const mock of [mockViewableUser("ADMIN"), mockViewableUser("REGULAR", false)]) {
    const result = vi.fn(() => mock.result as object);
    const { unmount } = button([{ ...mock, result }]);
    await waitFor(() => expect(result).toHaveBeenCalled());
    await act(async () => {});
    expect(screen.queryByRole("button")).toBeNull();
    unmount();
  }
});
