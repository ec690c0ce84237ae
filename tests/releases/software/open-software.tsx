import { screen, within } from "@testing-library/react";
import { buildShownBuild, buildShownChannel, former, unpublished, withdrawn } from "#tests/factories/software-view.ts";
import { type Mock, mockQuery, renderMocked } from "#tests/support/mock-query.tsx";
import { savedViews } from "#tests/support/saved-views.ts";
import { SoftwareBuildsDocument, SoftwareChannelsDocument } from "#web/generated/graphql.ts";
import ManageSoftwarePage from "#web/releases/software/manage-software.tsx";

export type { Mock };

/** A stage without builds. */
export const idle = buildShownChannel({ stage: "ALPHA", label: "Alpha", offered: null, previous: null });

/** Creates a mock of the stages. */
export const channels = (...softwareChannels: object[]): Mock =>
  mockQuery(SoftwareChannelsDocument).returns({ softwareChannels });
/** Creates a mock of the first page of builds. */
export const builds = (rows: object[], endCursor: string | null = null): Mock =>
  mockQuery(SoftwareBuildsDocument, { first: 40 }).returns({
    softwareBuilds: { rows, endCursor },
  });
/** The builds of {@link openSoftware}. */
export const allBuilds = [unpublished, buildShownBuild(), former, withdrawn];

/** Opens Manage Software with mocks; by default with all builds and two stages. */
export function openSoftware(...mocks: Mock[]) {
  const hasChannels = mocks.some(({ request }) => request.query === SoftwareChannelsDocument);
  const hasBuilds = mocks.some(({ request }) => request.query === SoftwareBuildsDocument);
  const others = [
    ...(hasChannels ? [] : [{ ...channels(buildShownChannel(), idle), maxUsageCount: 9 }]),
    ...(hasBuilds ? [] : [{ ...builds(allBuilds), maxUsageCount: 9 }]),
  ];
  return renderMocked([...mocks, savedViews(), ...others], <ManageSoftwarePage />, "/admin/manage-software/");
}

/** Creates a mock of a mutation that records its variables. */
export function recordCalls(query: Mock["request"]["query"]) {
  const sent: unknown[] = [];
  return { sent, mock: mockQuery(query, (given) => sent.push(given) > 0).returns({}) };
}

/** Chooses an action of a build and returns its dialog. */
export async function choose(user: ReturnType<typeof openSoftware>["user"], build: string, action: string) {
  await user.click(await screen.findByRole("button", { name: `Actions for ${build}` }));
  await user.click(screen.getByRole("menuitem", { name: action }));
  return within(await screen.findByRole("dialog", {}, { timeout: 5_000 }));
}
