import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { former, buildShownBuild, buildShownChannel, unpublished } from "#tests/factories/software-view.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import {
  DeleteSoftwareDraftDocument,
  PublishSoftwareDocument,
  RollBackSoftwareDocument,
  SetMinimumAddInVersionDocument,
  SoftwareBuildFilesDocument,
  SoftwareBuildsDocument,
  WithdrawSoftwareDocument,
} from "#web/generated/graphql.ts";
import { builds, channels, choose, idle, openSoftware, recordCalls } from "./open-software.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";
import { listColumns, mockQuery, startAs } from "#tests/support/mock-query.tsx";

beforeEach(() => startAs("admin"));

test("shows the offered build and minimum version of each stage", async () => {
  openSoftware(channels(buildShownChannel({ minimumVersion: "7.0.0" }), idle));
  const production = within((await screen.findByRole("heading", { name: "Production" })).closest("li") as HTMLElement);
  for (const words of ["7.2.0", "since 1 Nov 2026", "18.4 MB", "1,204 · 30 via ClickOnce", "7.0.0"])
    expect(production.getByText(textWithTimes(words))).toBeTruthy();
  expect(production.getByRole("link", { name: "Installer" }).getAttribute("href")).toBe(buildShownBuild().url);
  expect(production.getByRole("link", { name: ".vsto" }).getAttribute("href")).toBe(buildShownBuild().manifestUrl);
  const other = within(screen.getByRole("heading", { name: "Alpha" }).closest("li") as HTMLElement);
  expect(other.getByText("No build is offered.")).toBeTruthy();
  expect(other.queryByRole("button")).toBeNull();
});

test("lists and searches builds, offers the actions for each, and copies a checksum", async () => {
  const { user } = openSoftware();
  await screen.findByText("1–4 of 4");
  await user.click(await screen.findByRole("button", { name: "Copy SHA-256 of Planvarro-Setup-7.2.0.exe" }));
  expect(await screen.findByText("SHA-256 has been copied to clipboard.")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe("ab".repeat(32));
  const table = within(screen.getByRole("table", { name: "Builds" }));
  expect(listColumns(table)).toBe("Version | Stage | State | Uploaded | Uploaded by | Published | Downloads | Actions");
  for (const [build, actions] of [
    ["7.4.0 for Alpha", ["Publish", "Details", "Delete draft"]],
    ["7.2.0 for Production", ["Details", "Withdraw"]],
    ["7.1.0 for Production", ["Offer again", "Details", "Withdraw"]],
    ["7.0.0 for Production", ["Details"]],
  ] as const) {
    const button = screen.getByRole("button", { name: `Actions for ${build}` });
    await user.click(button);
    expect(screen.getAllByRole("menuitem").map(({ textContent }) => textContent)).toEqual(actions);
    await user.keyboard("{Escape}");
  }
  fireEvent.change(field("Search"), { target: { value: "draft" } });
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
  expect(table.getByText("7.4.0")).toBeTruthy();
});

test("loads all pages of the list", async () => {
  const next = mockQuery(SoftwareBuildsDocument, { first: 40, after: "cursor-1" });
  openSoftware(builds([unpublished], "cursor-1"), next.returns({ softwareBuilds: { rows: [former] } }));
  expect(await screen.findByText("1–2 of 2")).toBeTruthy();
});

test.each([
  [
    "publishing",
    "7.4.0 for Alpha",
    "Publish",
    /Version 7\.4\.0 was read from the installation file\. Alpha will offer 7\.4\.0 for download/,
    PublishSoftwareDocument,
    { buildId: "b-74", signedManifest: null },
    "Alpha now offers 7.4.0.",
  ],
  [
    "offering a build again",
    "7.1.0 for Production",
    "Offer again",
    /Production will offer 7\.1\.0 instead of 7\.2\.0 for download/,
    PublishSoftwareDocument,
    { buildId: "b-71", signedManifest: null },
    "Production now offers 7.1.0.",
  ],
  [
    "withdrawing the offered build",
    "7.2.0 for Production",
    "Withdraw",
    /can't be undone\. Production will then offer 7\.1\.0\./,
    WithdrawSoftwareDocument,
    { buildId: "b-72" },
    "7.2.0 has been withdrawn.",
  ],
  [
    "withdrawing another build",
    "7.1.0 for Production",
    "Withdraw",
    /The build that Production offers stays the same\./,
    WithdrawSoftwareDocument,
    { buildId: "b-71" },
    "7.1.0 has been withdrawn.",
  ],
  [
    "deleting",
    "7.4.0 for Alpha",
    "Delete draft",
    /It was never published\./,
    DeleteSoftwareDraftDocument,
    { buildId: "b-74" },
    "The draft 7.4.0 has been deleted.",
  ],
] as const)(
  "explains %s and does it only after confirmation",
  async (_, build, action, explanation, query, variables, message) => {
    const { sent, mock } = recordCalls(query);
    const { user } = openSoftware(mock);
    const dialog = await choose(user, build, action);
    expect(await dialog.findByText(explanation)).toBeTruthy();
    expect(sent).toEqual([]);
    await user.click(
      dialog.getByRole("button", { name: action === "Offer again" ? "Publish" : (action.split(" ")[0] ?? action) }),
    );
    expect(await screen.findByText(message)).toBeTruthy();
    expect(sent).toEqual([variables]);
  },
);

test("rolls back only after confirmation and sends the build shown as offered", async () => {
  const { sent, mock } = recordCalls(RollBackSoftwareDocument);
  const { user } = openSoftware(
    mock,
    channels(buildShownChannel()),
    channels(buildShownChannel({ offered: former, previous: null })),
  );
  await user.click(await screen.findByRole("button", { name: "Roll back to 7.1.0" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Roll back Production?" }));
  expect(await dialog.findByText(/Production will offer 7\.1\.0 again instead of 7\.2\.0\./)).toBeTruthy();
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Roll back" }));
  expect(await screen.findByText("Production now offers 7.1.0.")).toBeTruthy();
  expect(sent).toEqual([{ stage: "PRODUCTION", offeredBuildId: "b-72", signedManifest: null }]);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Roll back to 7.1.0" })).toBeNull());
});

test("explains the effect of a minimum version before saving", async () => {
  const { sent, mock } = recordCalls(SetMinimumAddInVersionDocument);
  const { user } = openSoftware(mock);
  await user.click(await screen.findByRole("button", { name: "Set minimum version" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Minimum version" }));
  expect(await dialog.findByText(/every add-in may run/)).toBeTruthy();
  fill({ "Oldest version that may run": "seven" });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(messageUnder(field("Oldest version that may run"))).toMatch(/one to four numbers separated by dots/),
  );
  expect(sent).toEqual([]);
  fill({ "Oldest version that may run": "7.1.0" });
  expect(await dialog.findByText(/Add-ins older than 7\.1\.0 in every stage will stop working/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Versions older than 7.1.0 can no longer run.")).toBeTruthy();
  expect(sent).toEqual([{ stage: "PRODUCTION", version: "7.1.0" }]);
});

test("lists the files of a build in its details", async () => {
  const path = "Application Files/Planvarro_7_2_0_0/Planvarro.dll.deploy";
  const softwareBuild = { id: "b-72", files: [{ path, kind: "APPLICATION_FILE", sizeBytes: 2_048 }] };
  const { user } = openSoftware(mockQuery(SoftwareBuildFilesDocument, { id: "b-72" }).returns({ softwareBuild }));
  const dialog = await choose(user, "7.2.0 for Production", "Details");
  expect(await dialog.findByText(path)).toBeTruthy();
  expect(dialog.getByText("2 kB")).toBeTruthy();
  expect(await dialog.findByText(/by Grace Hopper/)).toBeTruthy();
});
