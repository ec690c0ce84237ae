import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { field, fill } from "#tests/support/fill-form.ts";
import { playDownloads } from "#tests/support/play-downloads.ts";
import { signedOut, signInAs } from "#tests/support/render-web.tsx";
import {
  DeactivateLicenceDocument,
  ResetDeactivationCounterDocument,
  UpdateLicenceDocument,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { answering, choose, licence, listed, open } from "./open-licences-tab.tsx";

beforeEach(() => {
  signedOut();
  notify.clear();
  signInAs("admin");
});

describe("updating a licence", () => {
  const updated = { data: { updateLicence: licence({ purchaseOrderNumber: "PO-2" }) } };

  test("sends the four fields with the original values, and keeps the time of an unchanged day", async () => {
    const { mock, sent } = answering(UpdateLicenceDocument, updated);
    const { user } = open(listed(licence()), mock);
    await choose(user, "Update");
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
        licenceCategory: 2,
        purchaseOrderNumber: "PO-2",
        projectTerm: "",
      },
      began: {
        expiresAt: "2027-03-09T14:05:00.000Z",
        licenceCategory: 2,
        purchaseOrderNumber: "PO-4711",
        projectTerm: null,
      },
    });
    expect(await screen.findByText("PO-2")).toBeTruthy();
  });

  test("requires a project term for a project licence", async () => {
    const { user } = open(listed(licence({ licenceType: 4, projectTerm: "Stage 1" })));
    await choose(user, "Update");
    await screen.findByLabelText("Project term");
    fill({ "Project term": "" });
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Project term is required.")).toBeTruthy();
  });

  test("warns that the next payment of a subscription changes the date again", async () => {
    const { user } = open(listed(licence({ isSubscribed: true })));
    await choose(user, "Update");
    expect(
      await screen.findByText(
        "A subscription renews this licence. Its next payment will change the expiry date again.",
      ),
    ).toBeTruthy();
  });

  test("reports an internal error", async () => {
    const { mock } = answering(UpdateLicenceDocument, { error: "", code: "INTERNAL" });
    const { user } = open(listed(licence()), mock);
    await choose(user, "Update");
    await screen.findByRole("dialog", { name: "Update licence" });
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Unable to update the licence.")).toBeTruthy();
    expect(screen.getByRole("dialog", { name: "Update licence" })).toBeTruthy();
  });

  test("reports another admin's change and fetches the new values", async () => {
    const conflict = "This licence was changed while you were editing it. Close the form to see the current values.";
    const { mock } = answering(UpdateLicenceDocument, { error: conflict, code: "CONFLICT" });
    const { user } = open(listed(licence()), mock, listed(licence({ purchaseOrderNumber: "PO-THEIRS" })));
    await choose(user, "Update");
    await screen.findByRole("dialog", { name: "Update licence" });
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText(conflict)).toBeTruthy();
    expect(await screen.findByText("PO-THEIRS")).toBeTruthy();
  });
});

describe("deactivating a licence", () => {
  test("requires confirmation and warns that it cannot be undone", async () => {
    const { mock, sent } = answering(DeactivateLicenceDocument, {
      data: { deactivateLicence: licence({ status: "REVOKED" }) },
    });
    const { user } = open(listed(licence()), mock);
    await choose(user, "Deactivate");
    const dialog = await screen.findByRole("dialog", { name: "Deactivate licence" });
    expect(dialog.textContent).toContain("This cannot be undone.");
    expect(dialog.textContent).not.toContain("subscription");
    await user.click(within(dialog).getByRole("button", { name: "Yes" }));
    expect(await screen.findByText("You have successfully deactivated the licence.")).toBeTruthy();
    expect(sent[0]).toEqual({ userId: "user-7", licenceId: "licence-1" });
    expect(await screen.findByText("Deactivated")).toBeTruthy();
  });

  test("warns that a subscription ends too, and reports a failure", async () => {
    const { mock } = answering(DeactivateLicenceDocument, { error: "", code: "INTERNAL" });
    const { user } = open(listed(licence({ isSubscribed: true })), mock);
    await choose(user, "Deactivate");
    const dialog = await screen.findByRole("dialog", { name: "Deactivate licence" });
    expect(dialog.textContent).toContain("A subscription pays for this licence. It ends immediately");
    await user.click(within(dialog).getByRole("button", { name: "Yes" }));
    expect(await screen.findByText("Unable to deactivate the licence.")).toBeTruthy();
  });
});

test.each([
  [
    { data: { resetDeactivationCounter: { __typename: "DeactivationAllowance", limit: 3, remaining: 3 } } },
    "The user's licence deactivation counter has been reset successfully.",
  ],
  [{ error: "", code: "INTERNAL" }, "Unable to reset the user's licence deactivation counter."],
])("resets the deactivation counter after confirmation: %o", async (result, sentence) => {
  const { mock } = answering(ResetDeactivationCounterDocument, result as never);
  const { user } = open(listed(), mock);
  await user.click(await screen.findByRole("button", { name: "Reset Licence Deactivation Counter" }));
  const dialog = await screen.findByRole("dialog", { name: "Reset Licence Deactivation Counter" });
  await user.click(within(dialog).getByRole("button", { name: "Yes" }));
  expect(await screen.findByText(sentence)).toBeTruthy();
});

describe("usage report", () => {
  const file = () =>
    new Response("rows", {
      headers: { "content-disposition": 'attachment; filename="Licence-Usage-S-7K3QMX9D.xlsx"' },
    });

  test("requests all time with the access token, and saves the file under the server's name", async () => {
    const { asked, saved } = playDownloads(async () => file());
    const { user } = open(listed(licence()));
    await choose(user, "View licence usage");
    expect(await screen.findByText("The report has been exported successfully.")).toBeTruthy();
    expect(saved).toEqual(["Licence-Usage-S-7K3QMX9D.xlsx"]);
    expect(asked).toEqual([
      {
        url: "/v1/reports/download-licence-code-report",
        body: {
          licenceCode: "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE-FFFFF",
          startDate: "2000-01-01",
          endDate: "2099-12-31",
        },
        token: expect.stringMatching(/^Bearer /),
      },
    ]);
  });

  test("shows progress, and can be cancelled without an error", async () => {
    playDownloads(
      (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")))),
    );
    const { user } = open(listed(licence()));
    await choose(user, "View licence usage");
    expect(await screen.findByRole("progressbar", { name: "Preparing the usage report of S-7K3QMX9D" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Cancel Download" }));
    await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
    expect(screen.queryByText("Unable to download the report.")).toBeNull();
  });

  test("reports a failed download", async () => {
    playDownloads(async () => new Response("{}", { status: 500 }));
    const { user } = open(listed(licence()));
    await choose(user, "View licence usage");
    expect(await screen.findByText("Unable to download the report.")).toBeTruthy();
  });
});
