import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import {
  ConfirmDeviceAuthorizationDocument,
  DenyDeviceAuthorizationDocument,
  DeviceAuthorizationDocument,
  DeviceAuthorizationProgressDocument,
} from "#web/generated/graphql.ts";
import ActivatePage from "#web/licensing/device-authorizations/sign-in-activation.tsx";

const CODE = "WDJB-MJHT";
const invalidCode =
  "This code is not valid or has expired. Check it in the add-in, or start again there to get a new code.";

const progress = (state: string, message: string | null = null) => ({
  id: "authorization-1",
  userCode: CODE,
  state,
  message,
  machineName: "BNE-PLAN-008",
});

const licence = (id: string, level: string, numberOfMachines: number, machines: string[] = [], status = "ACTIVE") => ({
  id,
  product: "Planvarro",
  subscriptionLevel: level,
  status,
  renewal: "NONE",
  numberOfMachines,
  devices: machines.map((machineName) => ({
    id: `device-${machineName}`,
    machineName,
    lastSeenAt: "2026-09-01T08:00:00.000Z",
  })),
});

const found = (licences: object[], changes: object = {}) =>
  mockQuery(DeviceAuthorizationDocument, { userCode: CODE }).returns({
    deviceAuthorization: {
      ...progress("PENDING"),
      osUser: "PLANNING\\ada",
      addInVersion: "7.2.0",
      ip: "203.0.113.9",
      isSameNetwork: true,
      deactivationsRemaining: 2,
      ...changes,
    },
    me: { id: "user-1", licences },
  });

const confirmed = (input: object) =>
  mockQuery(ConfirmDeviceAuthorizationDocument, { input: { userCode: CODE, ...input } }).returns({
    confirmDeviceAuthorization: progress("CONFIRMED"),
  });

const polled = (state: string, message: string | null = null) =>
  mockQuery(DeviceAuthorizationProgressDocument, { userCode: CODE }).returns({
    deviceAuthorization: progress(state, message),
  });

beforeEach(() => startAs("regular"));

const open = (mocks: Mock[]) => renderMocked(mocks, <ActivatePage />, `/activate/?code=${CODE}`);

async function openConfirmation(mocks: Mock[]) {
  const view = open(mocks);
  await view.user.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByRole("heading", { name: "Activate BNE-PLAN-008?" });
  return view;
}

const press = (user: { click: (element: Element) => Promise<void> }, name: string) =>
  user.click(screen.getByRole("button", { name }));

test("fills in the code from the link without submitting it, and shows an error for a wrong code", async () => {
  const fields = { userCode: [invalidCode] };
  const refused = mockQuery(DeviceAuthorizationDocument, { userCode: "nothing" }).fails("BAD_USER_INPUT", "", {
    fields,
  });
  const { user } = open([refused, found([licence("l1", "Professional", 1)])]);
  expect(field("Code").value).toBe(CODE);
  expect(screen.queryByRole("heading", { level: 2 })).toBeNull();
  fill({ Code: "" });
  await press(user, "Continue");
  await waitFor(() => expect(messageUnder(field("Code"))).toBe("Code is required."));
  fill({ Code: "nothing" });
  await press(user, "Continue");
  await waitFor(() => expect(messageUnder(field("Code"))).toBe(invalidCode));
  fill({ Code: CODE });
  await press(user, "Continue");
  expect(await screen.findByRole("heading", { name: "Activate BNE-PLAN-008?" })).toBe(document.activeElement);
});

test("shows the device and the active licences, requires one, and shows the activation after a failure and a wait", async () => {
  const { user } = await openConfirmation([
    found([
      licence("l1", "Professional", 2, ["ONE"]),
      licence("l2", "Standard", 2),
      licence("l3", "Plus+", 1, [], "EXPIRED"),
      licence("l4", "Corporate", 1, ["TWO"]),
    ]),
    { request: confirmed({ licenceId: "l2" }).request, error: new Error("gone") },
    confirmed({ licenceId: "l2" }),
    polled("CONFIRMED"),
    polled("ACTIVATED"),
  ]);
  for (const text of [CODE, "BNE-PLAN-008", "PLANNING\\ada", "7.2.0", "203.0.113.9"])
    expect(screen.getAllByText(text).length).toBeGreaterThan(0);
  expect(screen.getByText("Only confirm if you just started this on your own device.")).toBeTruthy();
  const group = within(screen.getByRole("group", { name: "Licence" }));
  expect(group.getAllByRole("radio")).toHaveLength(3);
  expect(group.getByRole("radio", { name: /Professional.*1 of 2 devices in use/ })).toBeTruthy();
  expect(group.getByRole("radio", { name: /Corporate.*1 of 1 device in use.*Full/ })).toBeTruthy();
  expect(group.getAllByRole("radio").some((radio) => (radio as HTMLInputElement).checked)).toBe(false);
  await press(user, "Confirm");
  expect(await screen.findByText("Please choose a licence.")).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(group.getAllByRole("radio")[0]));
  await user.click(screen.getByRole("radio", { name: /Standard/ }));
  await press(user, "Confirm");
  expect((await screen.findByRole("alert")).textContent).toContain("Unable to save your decision. Please try again.");
  expect((screen.getByRole("radio", { name: /Standard/ }) as HTMLInputElement).checked).toBe(true);
  await press(user, "Confirm");
  expect(await screen.findByText(/Go back to the add-in on BNE-PLAN-008/)).toBe(document.activeElement);
  expect(screen.getByRole("progressbar", { name: "Waiting for the add-in" })).toBeTruthy();
  expect(await screen.findByText("BNE-PLAN-008 is activated.")).toBe(document.activeElement);
});

test("requires a device to replace on a full licence, and again after another licence was chosen", async () => {
  const { user } = await openConfirmation([
    found([licence("l1", "Professional", 1, ["OLD-PC|planning.local"]), licence("l2", "Corporate", 1, ["OTHER-PC"])]),
    confirmed({ licenceId: "l1", replaceDeviceId: "device-OLD-PC|planning.local" }),
    polled("ACTIVATED"),
  ]);
  await user.click(screen.getByRole("radio", { name: /Corporate/ }));
  fill({ "Device to replace": "device-OTHER-PC" });
  await user.click(screen.getByRole("radio", { name: /Professional/ }));
  expect(screen.getByText(/one device will be deactivated\. You have 2 deactivations left\./)).toBeTruthy();
  const options = within(field("Device to replace")).getAllByRole("option");
  expect(options.map((option) => option.textContent)).toEqual([
    "Choose a device",
    "OLD-PC, last seen 1 Sep 2026, 4:00 pm AWST",
  ]);
  await press(user, "Confirm");
  await waitFor(() => expect(messageUnder(field("Device to replace"))).toBe("Please choose the device to replace."));
  fill({ "Device to replace": "device-OLD-PC|planning.local" });
  await press(user, "Confirm");
  expect(await screen.findByText("BNE-PLAN-008 is activated.")).toBeTruthy();
});

const refusedFor = (fields: object) =>
  mockQuery(ConfirmDeviceAuthorizationDocument, { input: { userCode: CODE, licenceId: "l1" } }).fails(
    "BAD_USER_INPUT",
    "",
    { fields },
  );

test("asks which device to replace if the licence has become full since the page was opened", async () => {
  const chooseOne = "This licence is in use on as many devices as it allows. Please choose a device to replace.";
  const { user } = await openConfirmation([
    found([licence("l1", "Professional", 1)]),
    refusedFor({ replaceDeviceId: [chooseOne] }),
    found([licence("l1", "Professional", 1, ["NEW-PC"])]),
    confirmed({ licenceId: "l1", replaceDeviceId: "device-NEW-PC" }),
    polled("ACTIVATED"),
  ]);
  await press(user, "Confirm");
  await waitFor(() => expect(messageUnder(field("Device to replace"))).toBe(chooseOne));
  fill({ "Device to replace": "device-NEW-PC" });
  await press(user, "Confirm");
  expect(await screen.findByText("BNE-PLAN-008 is activated.")).toBeTruthy();
});

test("asks for another code if it expired before the customer confirmed it", async () => {
  const fields = { userCode: [invalidCode] };
  const { user } = await openConfirmation([
    found([licence("l1", "Professional", 1)]),
    refusedFor(fields),
    mockQuery(DeviceAuthorizationDocument, { userCode: CODE }).fails("BAD_USER_INPUT", "", { fields }),
  ]);
  await press(user, "Confirm");
  await waitFor(() => expect(document.activeElement).toBe(field("Code")));
});

test("offers no replacement if the device is already activated or no deactivations are left", async () => {
  const { unmount } = await openConfirmation([
    found([licence("l1", "Professional", 1, ["BNE-PLAN-008"])], { licenceIdsWithPlace: ["l1"] }),
  ]);
  expect(screen.getByText("Already on this device")).toBeTruthy();
  expect(screen.queryByLabelText("Device to replace")).toBeNull();
  unmount();
  await openConfirmation([found([licence("l1", "Professional", 1, ["OLD-PC"])], { deactivationsRemaining: 0 })]);
  expect(screen.getByText(/you have no deactivations left/)).toBeTruthy();
  expect(screen.queryByLabelText("Device to replace")).toBeNull();
});

test("warns about a device on another network and requires another confirmation", async () => {
  const { user } = await openConfirmation([
    found([licence("l1", "Professional", 1)], { isSameNetwork: false }),
    confirmed({ licenceId: "l1" }),
    polled("ACTIVATED"),
  ]);
  expect(screen.getByText(/is on a different network from your browser/)).toBeTruthy();
  await press(user, "Confirm");
  expect(await screen.findByText("Please confirm that you started this yourself.")).toBeTruthy();
  await user.click(
    screen.getByRole("checkbox", { name: `I started this myself on BNE-PLAN-008, and it shows the code ${CODE}.` }),
  );
  await press(user, "Confirm");
  expect(await screen.findByText("BNE-PLAN-008 is activated.")).toBeTruthy();
});

test("lets the customer only deny the device if there is no active licence, and shows the support address", async () => {
  const { user } = await openConfirmation([
    found([licence("l1", "Professional", 1, [], "EXPIRED")]),
    mockQuery(DenyDeviceAuthorizationDocument, { userCode: CODE }).returns({
      denyDeviceAuthorization: progress("DENIED"),
    }),
  ]);
  expect(screen.getByText("You have no active licence for this device.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Confirm" })).toBeNull();
  await press(user, "This wasn't me");
  expect(await screen.findByText("Nothing was activated on BNE-PLAN-008.")).toBeTruthy();
  expect(screen.getByText(/please let us know at support@/)).toBeTruthy();
});

test("shows the reason for a refusal and lets the customer choose again", async () => {
  const full = "The licence is already in use on as many devices as it allows. Please free one first.";
  const { user } = await openConfirmation([
    found([licence("l1", "Professional", 1)]),
    confirmed({ licenceId: "l1" }),
    polled("REFUSED", full),
    found([licence("l1", "Professional", 1, ["FASTER"])], { state: "REFUSED", message: full }),
  ]);
  await press(user, "Confirm");
  expect(await screen.findByText(`BNE-PLAN-008 was not activated. ${full}`)).toBeTruthy();
  await press(user, "Choose again");
  expect(await screen.findByText(`${full} Please choose again.`)).toBeTruthy();
  expect(field("Device to replace")).toBeTruthy();
});

test("shows an expired code and lets the customer enter another one", async () => {
  const { user } = await openConfirmation([
    found([licence("l1", "Professional", 1)]),
    confirmed({ licenceId: "l1" }),
    polled("EXPIRED"),
  ]);
  await press(user, "Confirm");
  expect(
    await screen.findByText(/The code expired before the add-in on BNE-PLAN-008 could complete the activation\./),
  ).toBeTruthy();
  await press(user, "Enter another code");
  expect(field("Code").value).toBe("");
  expect(document.activeElement).toBe(field("Code"));
});
