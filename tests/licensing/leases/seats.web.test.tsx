import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { Route, Routes } from "react-router-dom";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import type { Role } from "#web/platform/session.ts";
import { FreeSeatDocument, LicenceOwnerDocument, SeatsDocument } from "#web/generated/graphql.ts";
import SeatsPage from "#web/pages/customer/seats.tsx";
import { notify } from "#web/platform/notifications.ts";

type Mock = MockLink.MockedResponse;

beforeEach(() => {
  signedOut();
  notify.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

function seat(id: string, changes: Record<string, unknown> = {}) {
  return {
    __typename: "Lease",
    id,
    osUser: "SITE\\ada",
    startedAt: "2026-11-21T08:00:00.000Z",
    lastHeartbeatAt: "2026-11-21T09:30:00.000Z",
    expiresAt: "2026-11-21T10:00:00.000Z",
    borrowedUntil: null,
    device: { __typename: "Device", id: `device-${id}`, machineName: "GNC-PLAN-01|planning.local" },
    ...changes,
  };
}

function licence(changes: Record<string, unknown> = {}) {
  return {
    __typename: "Licence",
    id: "licence-1",
    product: "XER Bridge",
    subscriptionLevel: "Corporate",
    supportCode: "S-7K3QMX9D",
    status: "ACTIVE",
    licenceActivationType: 2,
    numberOfUsers: 5,
    floatingHeartBeatIntervalMinutes: 15,
    leases: [],
    seatDenials: [],
    ...changes,
  };
}

const request = { query: SeatsDocument, variables: { licenceId: "licence-1" } };
const answer = (changes: Record<string, unknown> = {}): Mock => ({
  request,
  result: { data: { licence: licence(changes) } },
});

/** Whose licence it is, for an admin's way back. */
const owner: Mock = {
  request: { query: LicenceOwnerDocument, variables: { id: "licence-1" } },
  result: {
    data: { licence: { __typename: "Licence", id: "licence-1", owner: { __typename: "User", id: "user-1" } } },
  },
};

function open(role: Role, ...mocks: Mock[]) {
  signInAs(role);
  return renderWeb(
    <MockedProvider mocks={role === "admin" ? [owner, ...mocks] : mocks}>
      <Routes>
        <Route path="/seats/:licenceId/" element={<SeatsPage />} />
      </Routes>
    </MockedProvider>,
    { at: "/seats/licence-1/" },
  );
}

test("the board tells how many seats are taken, by whom, on what machine, since when and until when", async () => {
  const borrowed = seat("2", { osUser: "SITE\\bob", borrowedUntil: "2026-11-21T16:00:00.000Z" });
  open("corporate", answer({ leases: [seat("1"), borrowed] }));
  const card = await screen.findByRole("region", { name: "This licence" });
  expect(card.textContent).toContain("2 of 5 seats taken");
  expect(card.textContent).toContain("3 are free");
  const table = screen.getByRole("table", { name: "Seats taken" });
  expect(
    within(table)
      .getAllByRole("columnheader")
      .map((header) => header.textContent),
  ).toEqual(["Windows User", "Machine", "Since", "Last Heartbeat", "Until"]);
  const [, first, second] = within(table).getAllByRole("row");
  expect(first?.textContent).toMatch(
    /SITE\\adaGNC-PLAN-01\d+ Nov 2026, \d+:00 [ap]m AWST\d+ Nov 2026, \d+:30 [ap]m AWST/,
  );
  expect(second?.textContent).toContain("Borrowed");
  expect(screen.getByLabelText("Search")).toBeTruthy();
});

test("twenty seats stand on a page", async () => {
  open("corporate", answer({ numberOfUsers: 30, leases: Array.from({ length: 21 }, (_, n) => seat(String(n))) }));
  expect(await screen.findByText("1–20 of 21")).toBeTruthy();
});

test("an empty board and a full one say so; who was turned away stands below", async () => {
  const denial = {
    __typename: "LicenceEvent",
    id: "9",
    at: "2026-11-20T08:00:00.000Z",
    code: "NO_SEATS_AVAILABLE",
    machineName: "GNC-TENDER-05",
    osUser: "SITE\\carla",
  };
  const { unmount } = open("corporate", answer());
  expect(await screen.findByText("No seat is taken at the moment.")).toBeTruthy();
  expect(screen.getByText("Nobody: whoever asked for a seat got one.")).toBeTruthy();
  unmount();
  open("corporate", answer({ numberOfUsers: 1, leases: [seat("1")], seatDenials: [denial] }));
  expect(await screen.findByText("None is free")).toBeTruthy();
  expect(screen.getByText("SITE\\carla").closest("li")?.textContent).toContain("on GNC-TENDER-05No seat was free");
});

test.each(["corporate", "regular"] as const)("is to be read only by a %s customer", async (role) => {
  open(role, answer({ leases: [seat("1")] }));
  await screen.findByText("SITE\\ada");
  expect(screen.queryByRole("button", { name: /^Free Seat/ })).toBeNull();
});

test("an admin frees a seat after a question that tells what a borrowed one means", async () => {
  const borrowed = seat("1", { borrowedUntil: "2026-11-21T16:00:00.000Z" });
  const freed: Mock = {
    request: { query: FreeSeatDocument, variables: { leaseId: "1" } },
    result: { data: { freeSeat: { __typename: "Licence", id: "licence-1" } } },
  };
  const { user } = open("admin", answer({ leases: [borrowed] }), freed, answer());
  await user.click(await screen.findByRole("button", { name: "Free Seat of SITE\\ada on GNC-PLAN-01" }));
  const dialog = await screen.findByRole("dialog", { name: "Free Seat" });
  expect(dialog.textContent).toContain("may ask for another");
  expect(dialog.textContent).toContain("goes on without a connection until");
  await user.click(within(dialog).getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("The seat is free.")).toBeTruthy();
  expect(await screen.findByText("No seat is taken at the moment.")).toBeTruthy();
});

test("a seat that could not be freed is told", async () => {
  const failed: Mock = {
    request: { query: FreeSeatDocument, variables: { leaseId: "1" } },
    result: { errors: [new GraphQLError("", { extensions: { code: "INTERNAL" } })] },
  };
  const { user } = open("admin", answer({ leases: [seat("1")] }), failed);
  await user.click(await screen.findByRole("button", { name: /^Free Seat/ }));
  await user.click(await screen.findByRole("button", { name: "Yes" }));
  expect(await screen.findByText("Unable to free the seat.")).toBeTruthy();
});

test("a licence without seats says so, and a stranger's is missing", async () => {
  const { unmount } = open("regular", answer({ licenceActivationType: 0 }));
  expect(
    await screen.findByText("This licence has no seats: it runs on every device that is activated on it."),
  ).toBeTruthy();
  unmount();
  const missing = "Sorry, we could not find what you asked for.";
  open("regular", {
    request,
    result: { errors: [new GraphQLError(missing, { extensions: { code: "NOT_FOUND" } })] },
  });
  expect(await screen.findByText(missing)).toBeTruthy();
});

describe("the board stays fresh", () => {
  test("on demand", async () => {
    const { user } = open("corporate", answer(), answer({ leases: [seat("1")] }));
    await user.click(await screen.findByRole("button", { name: "Refresh" }));
    expect(await screen.findByText("SITE\\ada")).toBeTruthy();
  });

  test("by itself twice a minute, but not while nobody looks; on coming back at once", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let asked = 0;
    const counting: Mock = {
      request,
      result: () => ({ data: { licence: licence({ numberOfUsers: 5 + asked++ }) } }),
      maxUsageCount: 50,
    } as unknown as Mock;
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(false);
    open("corporate", counting);
    await screen.findByText("No seat is taken at the moment.");
    const first = asked;
    await vi.advanceTimersByTimeAsync(30_100);
    await waitFor(() => expect(asked).toBe(first + 1));
    hidden.mockReturnValue(true);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).toBe(first + 1);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(asked).toBeGreaterThan(first + 1));
    hidden.mockRestore();
  });
});
