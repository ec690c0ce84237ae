import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill } from "#tests/support/fill-form.ts";
import { mockDownloads } from "#tests/support/mock-downloads.ts";
import { type Mock, startAs } from "#tests/support/mock-query.tsx";
import {
  ChangeLicenceSeatsDocument,
  DeactivateLicenceDocument,
  ExtendTrialDocument,
  ReinstateLicenceDocument,
  ResetDeactivationCounterDocument,
  UpdateLicenceDocument,
} from "#web/generated/graphql.ts";
import { mockMutation, chooseAction, buildLicence, mockLicences, openLicencesTab } from "./open-licences-tab.tsx";

beforeEach(() => startAs("admin"));

const updated = { data: { updateLicence: buildLicence({ purchaseOrderNumber: "PO-2" }) } };

test("sends the four fields with their original values, and keeps the expiry time if the day is unchanged", async () => {
  const { mock, sent } = mockMutation(UpdateLicenceDocument, updated);
  const { user } = openLicencesTab(mockLicences(buildLicence()), mock);
  await chooseAction(user, "Update");
  await screen.findByRole("dialog", { name: "Update licence" });
  expect(field("Expiry Date").value).toBe("09/03/2027");
  expect(screen.queryByLabelText("Project term")).toBeNull();
  expect(screen.queryByText(/A subscription keeps this licence/)).toBeNull();
  fill({ "PO number": "PO-2" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You have successfully updated the licence.")).toBeTruthy();
  expect(sent[0]).toEqual({
    userId: "user-7",
    licenceId: "licence-1",
    input: {
      expiryDate: "2027-03-09T14:05:00.000Z",
      licenceCategory: "TRANSITIONAL_LICENCING",
      purchaseOrderNumber: "PO-2",
      projectTerm: "",
    },
    began: {
      expiresAt: "2027-03-09T14:05:00.000Z",
      licenceCategory: "TRANSITIONAL_LICENCING",
      purchaseOrderNumber: "PO-4711",
      projectTerm: null,
      usageLimit: null,
    },
  });
  expect(await screen.findByText("PO-2")).toBeTruthy();
});

test("updating a licence changes the conversions of a trial", async () => {
  const trial = buildLicence({ licenceType: "COMMERCIAL", usageLimit: 50, usageCount: 12 });
  const { mock, sent } = mockMutation(UpdateLicenceDocument, updated);
  const { user } = openLicencesTab(mockLicences(trial), mock);
  await chooseAction(user, "Update");
  expect(field("Conversions").value).toBe("50");
  expect(screen.getByText("12 used. A trial ends when all are used.")).toBeTruthy();
  fill({ Conversions: "" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Conversions are required.")).toBeTruthy();
  expect(sent).toEqual([]);
  fill({ Conversions: "80" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You have successfully updated the licence.")).toBeTruthy();
  expect(sent[0]).toMatchObject({ input: { usageLimit: 80 } });
});

test("requires a project term for a project licence, and warns that a subscription changes the date again", async () => {
  const project = buildLicence({ licenceType: "PROJECT", projectTerm: "Stage 1", isSubscribed: true });
  const { user } = openLicencesTab(mockLicences(project));
  await chooseAction(user, "Update");
  await screen.findByLabelText("Project term");
  expect(
    screen.getByText("A subscription renews this licence. Its next payment will change the expiry date again."),
  ).toBeTruthy();
  fill({ "Project term": "" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Project term is required.")).toBeTruthy();
});

test("updating a licence stays open after an internal error, reports another admin's change and fetches the new values", async () => {
  const conflict = "This licence was changed while you were editing it. Close the form to see the current values.";
  const { user } = openLicencesTab(
    mockLicences(buildLicence()),
    { ...mockMutation(UpdateLicenceDocument, { error: "", code: "INTERNAL" }).mock, maxUsageCount: 1 },
    mockMutation(UpdateLicenceDocument, { error: conflict, code: "CONFLICT" }).mock,
    mockLicences(buildLicence({ purchaseOrderNumber: "PO-THEIRS" })),
  );
  await chooseAction(user, "Update");
  await screen.findByRole("dialog", { name: "Update licence" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Unable to update the licence.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save" }));
  for (const one of [conflict, "PO-THEIRS"]) expect(await screen.findByText(one)).toBeTruthy();
});

test("extending a trial that was changed in the meantime shows its new end, also when the dialog opens again", async () => {
  const trial = (periodEndsAt: string) =>
    buildLicence({ productLevel: "TRIAL", usageLimit: 20, usageCount: 0, expiresAt: periodEndsAt, periodEndsAt });
  const conflict = "This trial was changed in the meantime. Close the form to see the current values.";
  const { user } = openLicencesTab(
    mockLicences(trial("2027-03-09T14:05:00.000Z")),
    mockMutation(ExtendTrialDocument, { error: conflict, code: "CONFLICT" }).mock,
    mockLicences(trial("2027-03-23T14:05:00.000Z")),
  );
  await chooseAction(user, "Extend Trial");
  const dialog = within(await screen.findByRole("dialog", { name: "Extend Trial" }));
  fill({ Reason: "Two weeks more" });
  await user.click(dialog.getByRole("button", { name: "Extend Trial" }));
  expect(await screen.findByText(conflict)).toBeTruthy();
  expect(await screen.findByText("23 March, 2027")).toBeTruthy();
});

test("deactivating a licence requires confirmation and says that the licence can be reinstated", async () => {
  const { mock, sent } = mockMutation(DeactivateLicenceDocument, {
    data: { deactivateLicence: buildLicence({ status: "REVOKED" }) },
  });
  const { user } = openLicencesTab(mockLicences(buildLicence()), mock);
  await chooseAction(user, "Deactivate");
  const dialog = await screen.findByRole("dialog", { name: "Deactivate licence" });
  expect(dialog.textContent).toContain("You can reinstate the licence later.");
  expect(dialog.textContent).not.toContain("subscription");
  await user.click(within(dialog).getByRole("button", { name: "Deactivate" }));
  expect(await screen.findByText("You have successfully deactivated the licence.")).toBeTruthy();
  expect(sent[0]).toEqual({ userId: "user-7", licenceId: "licence-1" });
  expect(await screen.findByText("Deactivated")).toBeTruthy();
});

test("deactivating a licence warns that a subscription ends too, and reports a failure", async () => {
  const { mock } = mockMutation(DeactivateLicenceDocument, { error: "", code: "INTERNAL" });
  const { user } = openLicencesTab(mockLicences(buildLicence({ isSubscribed: true })), mock);
  await chooseAction(user, "Deactivate");
  const dialog = await screen.findByRole("dialog", { name: "Deactivate licence" });
  expect(dialog.textContent).toContain("A subscription pays for this licence. It ends immediately");
  await user.click(within(dialog).getByRole("button", { name: "Deactivate" }));
  expect(await screen.findByText("Unable to deactivate the licence.")).toBeTruthy();
});

test("reinstating a licence is offered only for a deactivated licence, and shows the licence as active afterwards", async () => {
  const { mock, sent } = mockMutation(ReinstateLicenceDocument, { data: { reinstateLicence: buildLicence() } });
  const { user } = openLicencesTab(mockLicences(buildLicence({ status: "REVOKED" })), mock);
  await chooseAction(user, "Reinstate");
  const dialog = await screen.findByRole("dialog", { name: "Reinstate licence" });
  expect(dialog.textContent).toContain("S-7K3QMX9D");
  await user.click(within(dialog).getByRole("button", { name: "Reinstate" }));
  expect(await screen.findByText("You have successfully reinstated the licence.")).toBeTruthy();
  expect(sent[0]).toEqual({ userId: "user-7", licenceId: "licence-1" });
  await waitFor(() => expect(screen.queryByText("Deactivated")).toBeNull());
  await user.click(screen.getByRole("button", { name: /^Actions for/ }));
  expect(screen.queryByRole("menuitem", { name: "Reinstate" })).toBeNull();
});

const openForm = async (mock: Mock) => {
  const { user } = openLicencesTab(mockLicences(buildLicence()), mock, mockLicences(buildLicence()));
  await chooseAction(user, "Change Seats");
  await screen.findByRole("dialog", { name: "Change seats" });
  return user;
};

test("changing seats starts with the current numbers and sends the new ones", async () => {
  const { mock, sent } = mockMutation(ChangeLicenceSeatsDocument, { data: { changeLicenceSeats: buildLicence() } });
  const user = await openForm(mock);
  expect(screen.getByLabelText("Number of machines")).toHaveProperty("value", "10");
  fill({ "Number of users": "8" });
  await user.click(screen.getByLabelText("Allow on virtual machines"));
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You have successfully changed the seats.")).toBeTruthy();
  const input = { numberOfUsers: 8, numberOfMachines: 10, allowOnVms: true };
  expect(sent[0]).toEqual({ userId: "user-7", licenceId: "licence-1", input });
});

test("changing seats stays open while a number is out of bounds, and shows the reason while more seats are in use", async () => {
  const reason = "9 seats are in use, so the number can't be 8. Reduce the use first.";
  const { mock, sent } = mockMutation(ChangeLicenceSeatsDocument, { error: reason, code: "CONFLICT" });
  const user = await openForm(mock);
  fill({ "Number of users": "1001" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Must be at most 1000.")).toBeTruthy();
  expect(sent).toEqual([]);
  fill({ "Number of users": "8" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(reason)).toBeTruthy();
  expect(screen.getByRole("dialog", { name: "Change seats" })).toBeTruthy();
});

test("resets the deactivation counter after confirmation and shows the result", async () => {
  const allowance = { limit: 3, remaining: 3 };
  for (const [result, sentence] of [
    [
      { data: { resetDeactivationCounter: allowance } },
      "The user's licence deactivation counter has been reset successfully.",
    ],
    [{ error: "", code: "INTERNAL" }, "Unable to reset the user's licence deactivation counter."],
  ] as const) {
    const { mock } = mockMutation(ResetDeactivationCounterDocument, result);
    const { user, unmount } = openLicencesTab(mockLicences(), mock);
    await user.click(await screen.findByRole("button", { name: "Reset Licence Deactivation Counter" }));
    const dialog = await screen.findByRole("dialog", { name: "Reset Licence Deactivation Counter" });
    await user.click(within(dialog).getByRole("button", { name: "Reset" }));
    expect(await screen.findByText(sentence)).toBeTruthy();
    unmount();
  }
});

test("downloads the usage of all time", async () => {
  const headers = { "content-disposition": 'attachment; filename="Licence-Usage-S-7K3QMX9D.xlsx"' };
  const { requests, saved } = mockDownloads(async () => new Response("rows", { headers }));
  const { user } = openLicencesTab(mockLicences(buildLicence()));
  await chooseAction(user, "View licence usage");
  expect(await screen.findByText("The report has been exported successfully.")).toBeTruthy();
  expect(saved).toEqual(["Licence-Usage-S-7K3QMX9D.xlsx"]);
  const body = { licenceCode: "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE-FFFFF", startDate: "2000-01-01", endDate: "2099-12-31" };
  expect(requests).toMatchObject([{ url: "/v1/reports/download-licence-code-report", body }]);
});
