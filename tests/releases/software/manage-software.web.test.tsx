import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { former, shownBuild, shownChannel, unpublished, withdrawn } from "#tests/factories/shown-build.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import {
  DeleteSoftwareDraftDocument,
  PublishSoftwareDocument,
  RollBackSoftwareDocument,
  SetMinimumAddInVersionDocument,
  SoftwareBuildFilesDocument,
  SoftwareBuildsDocument,
  SoftwareChannelsDocument,
  WithdrawSoftwareDocument,
} from "#web/generated/graphql.ts";
import ManageSoftwarePage from "#web/pages/admin/manage-software.tsx";
import { notify } from "#web/platform/notifications.ts";

type Mock = MockLink.MockedResponse;

beforeEach(() => {
  signedOut();
  notify.clear();
  signInAs("admin");
});

const idle = shownChannel({ stage: 2, label: "Alpha", offered: null, previous: null });

const channels = (...softwareChannels: object[]): Mock => ({
  request: { query: SoftwareChannelsDocument },
  result: { data: { softwareChannels } },
});
const builds = (rows: object[], endCursor: string | null = null): Mock => ({
  request: { query: SoftwareBuildsDocument, variables: { first: 40 } },
  result: {
    data: { softwareBuilds: { __typename: "SoftwareBuildPage", rows, endCursor, hasMore: endCursor !== null } },
  },
});
const all = [unpublished, shownBuild(), former, withdrawn];

function open(...mocks: Mock[]) {
  const given = mocks.some(({ request }) => request.query === SoftwareChannelsDocument);
  const listed = mocks.some(({ request }) => request.query === SoftwareBuildsDocument);
  return renderWeb(
    <MockedProvider
      mocks={[
        ...mocks,
        ...(given ? [] : [{ ...channels(shownChannel(), idle), maxUsageCount: 9 }]),
        ...(listed ? [] : [{ ...builds(all), maxUsageCount: 9 }]),
      ]}
    >
      <ManageSoftwarePage />
    </MockedProvider>,
    { at: "/admin/manage-software/" },
  );
}

/** A mutation that notes what it is asked. */
function noting(query: Mock["request"]["query"], result: Mock["result"]) {
  const sent: unknown[] = [];
  const variables = (given: object) => {
    sent.push(given);
    return true;
  };
  return { sent, mock: { request: { query, variables }, result } satisfies Mock };
}

async function choose(user: ReturnType<typeof open>["user"], build: string, action: string) {
  await user.click(await screen.findByRole("button", { name: `Actions for ${build}` }));
  await user.click(screen.getByRole("menuitem", { name: action }));
  return within(await screen.findByRole("dialog", {}, { timeout: 5_000 }));
}

test("each stage says what it offers, and what the minimum version is; one without a build says that", async () => {
  open(channels(shownChannel({ minimumVersion: "7.0.0" }), idle));
  const production = within((await screen.findByRole("heading", { name: "Production" })).closest("li") as HTMLElement);
  for (const words of ["7.2.0", "since 1 Nov 2026", "18.4 MB", "1,204 · 30 by ClickOnce", "7.0.0"])
    expect(production.getByText(words)).toBeTruthy();
  expect(production.getByRole("link", { name: "Installer" }).getAttribute("href")).toBe(shownBuild().url);
  expect(production.getByRole("link", { name: ".vsto" }).getAttribute("href")).toBe(shownBuild().manifestUrl);
  const other = within(screen.getByRole("heading", { name: "Alpha" }).closest("li") as HTMLElement);
  expect(other.getByText("Nothing is offered.")).toBeTruthy();
  expect(other.queryByRole("button")).toBeNull();
});

test("a checksum is copied whole", async () => {
  const { user } = open();
  await user.click(await screen.findByRole("button", { name: "Copy SHA-256 of XER-Bridge-Setup-7.2.0.exe" }));
  expect(await screen.findByText("SHA-256 has been copied to clipboard.")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe("ab".repeat(32));
});

test("the list tells of every build, finds one, and offers what can be done with each", async () => {
  const { user } = open();
  await screen.findByText("1–4 of 4");
  const table = within(screen.getByRole("table", { name: "Builds" }));
  expect(table.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Version",
    "Stage",
    "State",
    "Uploaded",
    "Uploaded By",
    "Published",
    "Downloads",
    "Actions",
  ]);
  for (const [build, actions] of [
    ["7.4.0 for Alpha", ["Publish", "Details", "Delete Draft"]],
    ["7.2.0 for Production", ["Details", "Withdraw"]],
    ["7.1.0 for Production", ["Offer Again", "Details", "Withdraw"]],
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

test("a list of several parts is fetched whole", async () => {
  open(builds([unpublished], "cursor-1"), {
    request: { query: SoftwareBuildsDocument, variables: { first: 40, after: "cursor-1" } },
    result: {
      data: {
        softwareBuilds: { __typename: "SoftwareBuildPage", rows: [former], endCursor: "cursor-2", hasMore: false },
      },
    },
  });
  expect(await screen.findByText("1–2 of 2")).toBeTruthy();
});

test("no builds, and builds or stages that can't be fetched, are said so", async () => {
  const { unmount } = open(builds([]));
  expect(await screen.findByText("No builds.")).toBeTruthy();
  unmount();
  const failing = (query: Mock["request"]["query"]): Mock => ({
    request: { query, variables: () => true },
    result: { errors: [new GraphQLError("", { extensions: { code: "INTERNAL" } })] },
  });
  const { user } = open(
    failing(SoftwareBuildsDocument),
    { ...builds(all), maxUsageCount: 5 },
    failing(SoftwareChannelsDocument),
    { ...channels(shownChannel()), maxUsageCount: 5 },
  );
  expect(await screen.findByText("Unable to load the builds.")).toBeTruthy();
  expect(await screen.findByText("Unable to load the stages.")).toBeTruthy();
  for (const again of screen.getAllByRole("button", { name: "Try again" })) await user.click(again);
  expect(await screen.findByText("1–4 of 4")).toBeTruthy();
  expect(await screen.findByRole("heading", { name: "Production" })).toBeTruthy();
});

test.each([
  [
    "publishing",
    "7.4.0 for Alpha",
    "Publish",
    /The version 7\.4\.0 was read from the installation file\. From now on Alpha offers 7\.4\.0\. Add-ins/,
    PublishSoftwareDocument,
    { publishSoftware: { __typename: "SoftwareBuild", id: "b-74", state: "OFFERED" } },
    { buildId: "b-74" },
    "Alpha now offers 7.4.0.",
  ],
  [
    "offering again",
    "7.1.0 for Production",
    "Offer Again",
    /From now on Production offers 7\.1\.0 instead of 7\.2\.0\./,
    PublishSoftwareDocument,
    { publishSoftware: { __typename: "SoftwareBuild", id: "b-71", state: "OFFERED" } },
    { buildId: "b-71" },
    "Production now offers 7.1.0.",
  ],
  [
    "withdrawing what is offered",
    "7.2.0 for Production",
    "Withdraw",
    /can't be undone\. Production then offers 7\.1\.0\./,
    WithdrawSoftwareDocument,
    { withdrawSoftware: { __typename: "SoftwareBuild", id: "b-72", state: "WITHDRAWN" } },
    { buildId: "b-72" },
    "7.2.0 has been withdrawn.",
  ],
  [
    "withdrawing another",
    "7.1.0 for Production",
    "Withdraw",
    /What Production offers stays as it is\./,
    WithdrawSoftwareDocument,
    { withdrawSoftware: { __typename: "SoftwareBuild", id: "b-71", state: "WITHDRAWN" } },
    { buildId: "b-71" },
    "7.1.0 has been withdrawn.",
  ],
  [
    "deleting",
    "7.4.0 for Alpha",
    "Delete Draft",
    /never published, so nobody has it/,
    DeleteSoftwareDraftDocument,
    { deleteSoftwareDraft: true },
    { buildId: "b-74" },
    "The draft 7.4.0 has been deleted.",
  ],
] as const)(
  "%s says what will happen, and happens on Yes alone",
  async (_, build, action, words, query, data, asked, said) => {
    const { sent, mock } = noting(query, { data: data as Record<string, unknown> });
    const { user } = open(mock);
    const first = await choose(user, build, action);
    expect(first.getByText(words)).toBeTruthy();
    await user.click(first.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent).toEqual([]);
    const dialog = await choose(user, build, action);
    await user.dblClick(dialog.getByRole("button", { name: "Yes" }));
    expect(await screen.findByText(said)).toBeTruthy();
    expect(sent).toEqual([asked]);
  },
);

test("a stage is rolled back on Yes alone, naming what the person saw offered", async () => {
  const { sent, mock } = noting(RollBackSoftwareDocument, {
    data: { rollBackSoftware: { __typename: "SoftwareChannel", stage: 4 } },
  });
  const { user } = open(mock, channels(shownChannel()), channels(shownChannel({ offered: former, previous: null })));
  await user.click(await screen.findByRole("button", { name: "Roll Back to 7.1.0" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Roll Back Production?" }));
  expect(dialog.getByText(/Production offers 7\.1\.0 again instead of 7\.2\.0\./)).toBeTruthy();
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("Production now offers 7.1.0.")).toBeTruthy();
  expect(sent).toEqual([{ stage: 4, offeredBuildId: "b-72" }]);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Roll Back to 7.1.0" })).toBeNull());
});

test("a refusal is told in the server's words, and the list is fetched again", async () => {
  const refusal = new GraphQLError("Another build is offered by now.", { extensions: { code: "CONFLICT" } });
  const { mock } = noting(RollBackSoftwareDocument, { errors: [refusal] });
  const { user } = open(
    mock,
    channels(shownChannel()),
    channels(shownChannel({ previous: { __typename: "SoftwareBuild", id: "b-73", version: "7.1.5" } })),
  );
  await user.click(await screen.findByRole("button", { name: "Roll Back to 7.1.0" }));
  await user.click(await screen.findByRole("button", { name: "Yes" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Another build is offered by now.");
  expect(await screen.findByRole("button", { name: "Roll Back to 7.1.5" })).toBeTruthy();
});

test("a minimum version says what it does before it is saved", async () => {
  const { sent, mock } = noting(SetMinimumAddInVersionDocument, {
    data: { setMinimumAddInVersion: { __typename: "SoftwareChannel", stage: 4, minimumVersion: "7.1.0" } },
  });
  const { user } = open(mock);
  await user.click(await screen.findByRole("button", { name: "Minimum Version" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Minimum Version" }));
  expect(dialog.getByText(/every add-in may run, however old/)).toBeTruthy();
  fill({ "Oldest Version That May Run": "seven" });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(messageUnder(field("Oldest Version That May Run"))).toMatch(/one to four numbers with dots/),
  );
  expect(sent).toEqual([]);
  fill({ "Oldest Version That May Run": "7.1.0" });
  expect(dialog.getByText(/Add-ins older than 7\.1\.0 stop working in every stage/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Versions older than 7.1.0 may not run any more.")).toBeTruthy();
  expect(sent).toEqual([{ stage: 4, version: "7.1.0" }]);
});

test("details list the files of a build", async () => {
  const file = {
    __typename: "SoftwareFile",
    kind: "application-file",
    sizeBytes: 2_048,
    sha256: "cd".repeat(32),
    url: null,
  };
  const path = "Application Files/XERBridge_7_2_0_0/XERBridge.dll.deploy";
  const { user } = open({
    request: { query: SoftwareBuildFilesDocument, variables: { id: "b-72" } },
    result: { data: { softwareBuild: { __typename: "SoftwareBuild", id: "b-72", files: [{ ...file, path }] } } },
  });
  const dialog = await choose(user, "7.2.0 for Production", "Details");
  expect(await dialog.findByText(path)).toBeTruthy();
  expect(dialog.getByText("2 kB")).toBeTruthy();
  expect(dialog.getByText(/by Grace Hopper/)).toBeTruthy();
});
