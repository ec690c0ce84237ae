import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { buildShownBuild, buildShownChannel, unpublished } from "#tests/factories/software-view.ts";
import { messageUnder } from "#tests/support/fill-form.ts";
import { mockQuery, startAs } from "#tests/support/mock-query.tsx";
import {
  PromoteSoftwareDocument,
  PublishSoftwareDocument,
  SetSoftwareVersionDocument,
} from "#web/generated/graphql.ts";
import { builds, channels, choose, openSoftware, recordCalls } from "./open-software.tsx";

beforeEach(() => startAs("admin"));

test("promotes an offered build to the next stage after confirmation", async () => {
  const { sent, mock } = recordCalls(PromoteSoftwareDocument);
  const offered = buildShownBuild({ id: "b-75", stage: "ALPHA", stageLabel: "Alpha", version: "7.5.0" });
  const { user } = openSoftware(mock, { ...builds([offered]), maxUsageCount: 9 });
  const dialog = await choose(user, "7.5.0 for Alpha", "Promote to Beta");
  expect(dialog.getByText(/will be copied from Alpha to Beta as a draft/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Promote" }));
  expect(await screen.findByText("7.5.0 has been copied to Beta. Publish the draft when it is ready.")).toBeTruthy();
  expect(sent).toEqual([{ buildId: "b-75", stage: "BETA" }]);
});

test("shows a refused signature at its field, and keeps what was pasted", async () => {
  const fields = { signedManifest: ["Sign the manifest again."] };
  const refusal = mockQuery(PublishSoftwareDocument, () => true).fails("BAD_USER_INPUT", "", { fields });
  const draft = buildShownBuild({ ...unpublished, manifestToSign: "manifest" });
  const { user } = openSoftware(refusal, builds([draft]));
  const dialog = await choose(user, "7.4.0 for Alpha", "Publish");
  fireEvent.change(dialog.getByLabelText("Signed manifest"), { target: { value: "pasted" } });
  await user.click(dialog.getByRole("button", { name: "Publish" }));
  expect(await dialog.findByText("Sign the manifest again.")).toBeTruthy();
  expect(dialog.getByLabelText<HTMLTextAreaElement>("Signed manifest").value).toBe("pasted");
});

test("keeps a pasted signature if publishing fails for another reason", async () => {
  const draft = { ...builds([buildShownBuild({ ...unpublished, manifestToSign: "manifest" })]), maxUsageCount: 9 };
  const refusal = mockQuery(PublishSoftwareDocument, () => true).fails("UNAVAILABLE", "Try again later.");
  const { sent, mock } = recordCalls(PublishSoftwareDocument);
  const { user } = openSoftware(refusal, mock, draft);
  const dialog = await choose(user, "7.4.0 for Alpha", "Publish");
  fireEvent.change(dialog.getByLabelText("Signed manifest"), { target: { value: "pasted" } });
  await user.click(dialog.getByRole("button", { name: "Publish" }));
  expect(await screen.findByText("Try again later.")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Publish" }));
  expect(await screen.findByText("Alpha now offers 7.4.0.")).toBeTruthy();
  expect(sent).toEqual([{ buildId: "b-74", signedManifest: "pasted" }]);
});

test("words the new signature of an offered build for what it does", async () => {
  const { sent, mock } = recordCalls(PublishSoftwareDocument);
  const offered = buildShownBuild({ manifestToSign: "manifest" });
  const stages = { ...channels(buildShownChannel({ offered })), maxUsageCount: 9 };
  const { user } = openSoftware(mock, stages, { ...builds([offered]), maxUsageCount: 9 });
  await screen.findByRole("button", { name: "Roll back to 7.1.0" });
  const dialog = await choose(user, "7.2.0 for Production", "Sign again");
  expect(screen.getByRole("dialog", { name: "Sign 7.2.0 again?" })).toBeTruthy();
  expect(dialog.getByText(/^Production goes on offering 7\.2\.0\./)).toBeTruthy();
  fireEvent.change(dialog.getByLabelText("Signed manifest"), { target: { value: "pasted" } });
  await user.click(dialog.getByRole("button", { name: "Sign again" }));
  expect(await screen.findByText("7.2.0 has the new signature.")).toBeTruthy();
  expect(sent).toEqual([{ buildId: "b-72", signedManifest: "pasted" }]);
});

test("requires the version of a draft whose files state none, before it offers publishing", async () => {
  const { sent, mock } = recordCalls(SetSoftwareVersionDocument);
  const draft = buildShownBuild({ ...unpublished, version: "", versionSource: null });
  const { user } = openSoftware(mock, builds([draft]), builds([unpublished]));
  const dialog = await choose(user, "the build without a version for Alpha", "Enter version");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(messageUnder(dialog.getByLabelText("Version"))).toBe("Version is required.");
  fireEvent.change(dialog.getByLabelText("Version"), { target: { value: "7.4.0" } });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The version is 7.4.0. The build can be published now.")).toBeTruthy();
  expect(sent).toEqual([{ buildId: "b-74", version: "7.4.0" }]);
  await user.click(await screen.findByRole("button", { name: "Actions for 7.4.0 for Alpha" }));
  expect(screen.getByRole("menuitem", { name: "Publish" })).toBeTruthy();
});
