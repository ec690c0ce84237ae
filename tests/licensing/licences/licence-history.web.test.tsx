import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import { getHelpPath } from "#schema/help-articles.ts";
import { messageOfResultCode, ResultCode, type ResultCodeName } from "#schema/result-code.ts";
import { describeLicenceEventResult, labelLicenceEvent } from "#schema/licence-history.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import type { Role } from "#web/platform/session.ts";
import { LicenceHistoryDocument } from "#web/generated/graphql.ts";
import LicenceHistoryPage from "#web/licensing/licences/licence-history.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";

const laptop = { id: "device-1", machineName: "LAPTOP-ADA|planning.local" };

let lastId = 0;

const event = (kind: string, code: ResultCodeName, at: string, changes: Record<string, unknown> = {}) => ({
  id: String(++lastId),
  at,
  lastAt: at,
  count: 1,
  kind,
  code,
  asked: labelLicenceEvent(kind),
  answer: describeLicenceEventResult(kind, code),
  machineName: laptop.machineName,
  deviceId: laptop.id,
  addInVersion: "7.2.0",
  hostVersion: "16.0.17328",
  osUser: "PLANNING\\ada",
  ...changes,
});

function history(rows: object[], { filters = {}, earlier = "", licence = {} } = {}) {
  const everything = { deviceId: null, refusalsOnly: false, asAdmin: false, seesIp: false };
  return mockQuery(LicenceHistoryDocument, { id: "licence-1", first: 30, ...everything, ...filters }).returns({
    licence: {
      id: "licence-1",
      product: "Planvarro",
      subscriptionLevel: "Professional",
      status: "ACTIVE",
      expiresAt: "2027-03-09T04:05:00.000Z",
      periodEndsAt: "2027-03-09T04:05:00.000Z",
      renewal: "NONE",
      supportCode: "S-7K3QMX9D",
      licenceActivationType: "STANDARD",
      numberOfMachines: 1,
      devices: [laptop],
      ...licence,
      events: { rows, endCursor: earlier || null },
    },
  });
}

function open(mocks: Mock[], role: Role = "regular") {
  startAs(role);
  const page = <Route path="/licence-history/:licenceId/" element={<LicenceHistoryPage />} />;
  return renderMocked(mocks, <Routes>{page}</Routes>, "/licence-history/licence-1/");
}

const days = async () => (await screen.findAllByRole("heading", { level: 3 })).map((heading) => heading.textContent);

test("groups events by day, with machine, request and result", async () => {
  open([
    history([
      event("validate", "VALID", "2026-11-21T09:00:00.000Z", { count: 1_200, lastAt: "2026-11-21T10:00:00.000Z" }),
      event("activate", "VALID", "2026-11-21T08:30:00.000Z"),
      event("issue", "VALID", "2026-11-03T02:00:00.000Z", { machineName: null, deviceId: null, osUser: null }),
    ]),
  ]);
  expect(await days()).toEqual(["Saturday 21 November 2026", "Tuesday 3 November 2026"]);
  const [newest, , issued] = screen.getAllByRole("listitem");
  const words = within(newest as HTMLElement);
  for (const text of ["LAPTOP-ADA", "Licence check", "The licence is valid on this device."])
    expect(words.getByText(text)).toBeTruthy();
  expect(words.getByText(textWithTimes("1,200 times between 5:00 pm and 6:00 pm AWST"))).toBeTruthy();
  expect(words.getByText("Add-in 7.2.0 · host 16.0.17328 · signed in as PLANNING\\ada")).toBeTruthy();
  expect(words.queryByText("Refused")).toBeNull();
  expect(within(issued as HTMLElement).getByText("Licence issued")).toBeTruthy();
  expect(screen.getByText("Showing all 3 events.")).toBeTruthy();
});

test("shows the licence's status, and the support code to copy", async () => {
  const { user, unmount } = open([history([])]);
  expect(await screen.findByRole("heading", { level: 2, name: "Planvarro Professional" })).toBeTruthy();
  for (const text of ["Active", "1 of 1 in use", "This licence has no events yet."])
    expect(screen.getByText(text)).toBeTruthy();
  for (const label of ["Seats", "Conversions left"]) expect(screen.queryByText(label)).toBeNull();
  expect(screen.getByText("S-7K3QMX9D")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Copy support code" }));
  expect(await screen.findByText("Support code has been copied to clipboard.")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe("S-7K3QMX9D");
  unmount();
  const seats = { licenceActivationType: "CONCURRENT", numberOfUsers: 5, leases: [{ id: "lease-1" }] };
  open([history([], { licence: { ...seats, status: "EXPIRED", usageLimit: 20, usageRemaining: 0 } })]);
  expect(await screen.findByText("1 of 5 in use")).toBeTruthy();
  expect(screen.getAllByText("Expired")).toHaveLength(2);
  expect(screen.getByText("Conversions left").nextElementSibling?.textContent).toBe("0 of 20");
});

test("marks every refusal and shows its next step and the article about it", async () => {
  const codes = Object.keys(ResultCode).filter((code) => code !== "VALID") as ResultCodeName[];
  open([history(codes.map((code) => event("validate", code, "2026-11-21T09:00:00.000Z")))]);
  const rows = await screen.findAllByRole("listitem");
  expect(rows).toHaveLength(codes.length);
  for (const [index, code] of codes.entries()) {
    for (const part of ["Refused", messageOfResultCode[code], "Next step"])
      expect(rows[index]?.textContent, code).toContain(part);
    expect(rows[index]?.textContent).not.toContain(code);
    const article = [...(rows[index]?.querySelectorAll("a") ?? [])].find((link) => link.textContent === "Read more");
    expect(article?.getAttribute("href")).toBe(getHelpPath(code));
  }
});

test("refers refused customers to the page that helps", async () => {
  for (const [role, code, label, href] of [
    ["regular", "MACHINE_LIMIT_EXCEEDED", "Manage Activated Devices", "/manage-activated-devices/licence-1/account/"],
    ["regular", "LICENCE_EXPIRED", "Billing", "/manage-subscription/"],
    ["corporate", "LICENCE_EXPIRED", "Contact", "/contact-us/"],
    ["regular", "LICENCE_SUSPENDED", "Billing", "/manage-subscription/"],
    ["corporate", "LICENCE_SUSPENDED", "Contact", "/contact-us/"],
  ] as const) {
    const { unmount } = open([history([event("validate", code, "2026-11-21T09:00:00.000Z")])], role);
    const row = within(await screen.findByRole("listitem"));
    expect(row.getByRole("link", { name: label }).getAttribute("href")).toBe(href);
    unmount();
  }
});

test("shows admins IP addresses and links to the owner's devices, but none to subscribe", async () => {
  const at = "2026-11-21T09:00:00.000Z";
  const refusals = [
    event("validate", "LICENCE_EXPIRED", at, { ip: "203.0.113.7" }),
    event("activate", "MACHINE_LIMIT_EXCEEDED", at, { ip: "203.0.113.7" }),
  ];
  const licence = { owner: { id: "user-7" } };
  open([history(refusals, { filters: { asAdmin: true, seesIp: true }, licence })], "admin");
  const [expired] = await screen.findAllByRole("listitem");
  const row = within(expired as HTMLElement);
  expect(row.getByText(/from 203\.0\.113\.7/)).toBeTruthy();
  expect(row.getAllByRole("link").map((link) => link.textContent)).toEqual(["Read more"]);
  const back = screen.getByRole("link", { name: /Licences/ });
  expect(back.getAttribute("href")).toBe("/admin/update-user/user-7/?tab=licences");
  const devices = screen.getAllByRole("link", { name: "Manage Activated Devices" });
  const expected = Array(2).fill("/manage-activated-devices/licence-1/user-7/");
  expect(devices.map((link) => link.getAttribute("href"))).toEqual(expected);
});

test("adds earlier events until all are shown, keeps the filter meanwhile, and moves the focus after the last page", async () => {
  const earlier = history([event("activate", "VALID", "2026-11-20T09:00:00.000Z")], { filters: { after: "cursor-1" } });
  const { user } = open([
    history([event("validate", "VALID", "2026-11-21T09:00:00.000Z")], { earlier: "cursor-1" }),
    { request: earlier.request, error: new Error("gone") },
    { ...earlier, delay: 200 },
  ]);
  expect(await screen.findByText("Showing the latest 1 event.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show earlier events" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Unable to fetch earlier events.");
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
  const filters = [screen.getByLabelText("Device"), screen.getByLabelText("Refusals only")] as HTMLInputElement[];
  const areDisabled = () => filters.map(({ disabled }) => disabled);
  await user.click(screen.getByRole("button", { name: "Show earlier events" }));
  expect(areDisabled()).toEqual([true, true]);
  const summary = await screen.findByText("Showing all 2 events.");
  await waitFor(() => expect(document.activeElement).toBe(summary));
  await waitFor(() => expect(areDisabled()).toEqual([false, false]));
  expect(await days()).toEqual(["Saturday 21 November 2026", "Friday 20 November 2026"]);
  expect(screen.queryByRole("button", { name: "Show earlier events" })).toBeNull();
});

test("filters by device and refusals, and offers to reset the filters if no event matches", async () => {
  const all = history([event("validate", "VALID", "2026-11-21T09:00:00.000Z")]);
  const { user } = open([
    all,
    history([event("activate", "VALID", "2026-11-20T09:00:00.000Z")], { filters: { deviceId: "device-1" } }),
    history([], { filters: { deviceId: "device-1", refusalsOnly: true } }),
    all,
  ]);
  const select = await screen.findByLabelText("Device");
  const options = within(select).getAllByRole("option");
  expect(options.map((option) => option.textContent)).toEqual(["All devices", "LAPTOP-ADA"]);
  await user.selectOptions(select, "LAPTOP-ADA");
  expect(await screen.findByText("Device activation")).toBeTruthy();
  await user.click(screen.getByLabelText("Refusals only"));
  expect(await screen.findByText("No refusals.")).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe("Showing all 0 events.");
  await user.click(screen.getByRole("button", { name: "Show all events" }));
  expect(await screen.findByText("Licence check")).toBeTruthy();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Refusals only").checked).toBe(false));
});
