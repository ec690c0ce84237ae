import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { failing, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { InstallationStatusDocument } from "#web/generated/graphql.ts";
import StatusPage from "#web/staff/status/status-page.tsx";

beforeEach(() => startAs("admin"));

const disk = { check: "disk", state: "OK", message: "9 MB left in DATA_DIR" };
const backup = {
  check: "backup",
  state: "FAILED",
  message: "The last backup is 3 days old.",
  fix: "Run: backup --to FOLDER",
};
const job = {
  id: "job-1",
  queue: "deliver-mail",
  failedAt: "2026-11-21T09:00:00.000Z",
  attempts: 2_881,
  reason: "the server is away",
};

function mock(findings: readonly object[], failedJobs: readonly object[] = []) {
  const queues = [{ name: "deliver-mail", waiting: 1_200, running: 1 }];
  return mockQuery(InstallationStatusDocument).returns({
    installationStatus: { version: "1.2.0", checkedAt: "2026-11-22T09:00:00.000Z", findings, queues, failedJobs },
  });
}

test("shows what is wrong first, with what to do, and shows that it was corrected", async () => {
  const { user } = renderMocked([mock([disk, backup], [job]), mock([disk]), failing(mock([]))], <StatusPage />);
  expect(await screen.findByText("1 of 2 checks need you.")).toBeTruthy();
  expect(screen.getByText(/Version 1\.2\.0, checked on/)).toBeTruthy();
  const rows = within(screen.getByRole("region", { name: "Checks" })).getAllByRole("listitem");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "BackupWrongThe last backup is 3 days old.Run: backup --to FOLDER",
    "DiskIn order9 MB left in DATA_DIR",
  ]);
  expect(within(screen.getByRole("table", { name: "Queues" })).getByText("1,200")).toBeTruthy();
  expect(within(screen.getByRole("table", { name: "Failed jobs" })).getByText("the server is away")).toBeTruthy();

  await user.click(screen.getByRole("button", { name: "Check again" }));
  expect(await screen.findByText("Everything is in order: 1 check.")).toBeTruthy();
  expect(screen.queryByRole("table", { name: "Failed jobs" })).toBeNull();
  // The old answer stays, so a message says that it isn't a new one.
  await user.click(screen.getByRole("button", { name: "Check again" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Unable to check the installation.");
  expect(screen.getByText("Everything is in order: 1 check.")).toBeTruthy();
});
