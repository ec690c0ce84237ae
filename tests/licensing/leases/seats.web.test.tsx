import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { afterEach, expect, test, vi } from "vitest";
import { listColumns, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";
import type { Role } from "#web/platform/session.ts";
import { FreeSeatDocument, LicenceOwnerDocument, SeatsDocument } from "#web/generated/graphql.ts";
import SeatsPage from "#web/licensing/leases/seats-page.tsx";

afterEach(() => {
  vi.useRealTimers();
});

const seat = (id: string, changes: object = {}) => ({
  id,
  osUser: "SITE\\ada",
  startedAt: "2026-11-21T08:00:00.000Z",
  lastHeartbeatAt: "2026-11-21T09:30:00.000Z",
  expiresAt: "2026-11-21T10:00:00.000Z",
  device: { id: `device-${id}`, machineName: "GNC-PLAN-01|planning.local" },
  ...changes,
});
const seats = mockQuery(SeatsDocument, { licenceId: "licence-1" });
const answer = (changes: object = {}) =>
  seats.returns({ licence: { id: "licence-1", licenceActivationType: "CONCURRENT", numberOfUsers: 5, ...changes } });

/** Owner of the licence, for an admin's back link. */
const owner = mockQuery(LicenceOwnerDocument, { id: "licence-1" }).returns({ licence: { id: "licence-1" } });

function open(role: Role, ...mocks: Mock[]) {
  startAs(role);
  const page = <Route path="/seats/:licenceId/" element={<SeatsPage />} />;
  return renderMocked(role === "admin" ? [owner, ...mocks] : mocks, <Routes>{page}</Routes>, "/seats/licence-1/");
}

test("shows the number of seats in use, with user, machine, start and end of each", async () => {
  const borrowed = seat("2", { osUser: "SITE\\bob", borrowedUntil: "2026-11-21T16:00:00.000Z" });
  open("corporate", answer({ leases: [seat("1"), borrowed] }));
  const card = await screen.findByRole("region", { name: "This licence" });
  for (const text of ["2 of 5 seats in use", "3 available"]) expect(card.textContent).toContain(text);
  const table = screen.getByRole("table", { name: "Seats in use" });
  expect(listColumns(within(table))).toBe("Windows user | Device | Since | Last heartbeat | Until");
  const [, first, second] = within(table).getAllByRole("row");
  const expected = /SITE\\adaGNC-PLAN-01\d+ Nov 2026, \d+:00 [ap]m AWST\d+ Nov 2026, \d+:30 [ap]m AWST/;
  expect(first?.textContent).toMatch(expected);
  expect(second?.textContent).toContain("Borrowed");
  expect(screen.getByLabelText("Search")).toBeTruthy();
});

test("shows an empty board and a full one, with denied requests below", async () => {
  const denial = {
    id: "9",
    at: "2026-11-20T08:00:00.000Z",
    code: "NO_SEATS_AVAILABLE",
    machineName: "GNC-TENDER-05",
    osUser: "SITE\\carla",
  };
  const { unmount } = open("corporate", answer());
  expect(await screen.findByText("No seats are in use.")).toBeTruthy();
  expect(screen.getByText("No requests were denied.")).toBeTruthy();
  unmount();
  open("corporate", answer({ numberOfUsers: 1, leases: [seat("1")], seatDenials: [denial] }));
  expect(await screen.findByText("None available")).toBeTruthy();
  expect(screen.getByText("SITE\\carla").closest("li")?.textContent).toContain("on GNC-TENDER-05No seat was available");
});

test.each(["corporate", "regular"] as const)("is read-only for a %s customer", async (role) => {
  open(role, answer({ leases: [seat("1")] }));
  await screen.findByText("SITE\\ada");
  expect(screen.queryByRole("button", { name: /^Release seat/ })).toBeNull();
});

test("releases a seat after confirmation, with an explanation of borrowed seats", async () => {
  const borrowed = seat("1", { borrowedUntil: "2026-11-21T16:00:00.000Z" });
  const releaseMock = mockQuery(FreeSeatDocument, { leaseId: "1" }).returns({ freeSeat: { id: "licence-1" } });
  const { user } = open("admin", answer({ leases: [borrowed] }), releaseMock, answer());
  await user.click(await screen.findByRole("button", { name: "Release seat of SITE\\ada on GNC-PLAN-01" }));
  const dialog = await screen.findByRole("dialog", { name: "Release seat" });
  expect(dialog.textContent).toContain("can request another seat");
  expect(dialog.textContent).toContain("can keep working offline until");
  await user.click(within(dialog).getByRole("button", { name: "Release" }));
  expect(await screen.findByText("The seat has been released.")).toBeTruthy();
  expect(await screen.findByText("No seats are in use.")).toBeTruthy();
});

test("shows a seat that heartbeats keep after its borrowing as an ordinary one", async () => {
  const { user } = open("admin", answer({ leases: [seat("1", { borrowedUntil: "2026-11-21T09:00:00.000Z" })] }));
  await user.click(await screen.findByRole("button", { name: "Release seat of SITE\\ada on GNC-PLAN-01" }));
  const dialog = await screen.findByRole("dialog", { name: "Release seat" });
  expect(dialog.textContent).not.toContain("borrowed");
  expect(screen.queryByText("Borrowed")).toBeNull();
});

test("explains that a licence has no seats, and shows an error for another user's licence", async () => {
  const { unmount } = open("regular", answer({ licenceActivationType: "STANDARD" }));
  expect(await screen.findByText("This licence has no seats. It runs on every activated device.")).toBeTruthy();
  unmount();
  open("regular", seats.fails("NOT_FOUND", "Sorry, we could not find what you asked for."));
  expect(await screen.findByText("Sorry, we could not find what you asked for.")).toBeTruthy();
});

test("refreshes on demand", async () => {
  const { user } = open("corporate", answer(), answer({ leases: [seat("1")] }));
  await user.click(await screen.findByRole("button", { name: "Refresh" }));
  expect(await screen.findByText("SITE\\ada")).toBeTruthy();
});

test("says when it was refreshed, also if nothing changed", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse("2026-11-21T01:00:00.000Z") });
  vi.spyOn(document, "hidden", "get").mockReturnValue(false);
  open("corporate", { ...answer(), maxUsageCount: 50 });
  expect(await screen.findByText(textWithTimes(/As of 9:00 am AWST/))).toBeTruthy();
  await vi.advanceTimersByTimeAsync(90_100);
  expect(await screen.findByText(textWithTimes(/As of 9:01 am AWST/))).toBeTruthy();
});

test("refreshes every 30 seconds while visible, and immediately when shown again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let fetches = 0;
  const result = (() => answer({ numberOfUsers: 5 + fetches++ }).result) as Mock["result"];
  const counting: Mock = { ...answer(), result, maxUsageCount: 50 };
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(false);
  open("corporate", counting);
  await screen.findByText("No seats are in use.");
  const first = fetches;
  await vi.advanceTimersByTimeAsync(30_100);
  await waitFor(() => expect(fetches).toBe(first + 1));
  hidden.mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(fetches).toBe(first + 1);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => expect(fetches).toBeGreaterThan(first + 1));
  hidden.mockRestore();
});
