import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { mockApi } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { AccountAccess } from "#web/access/sessions/security-page.tsx";
import DataLayer from "#web/platform/data-layer.tsx";

beforeEach(resetSession);

function open(rows: object[]) {
  signInAs("regular");
  mockApi({ AccountAccess: { accountAccess: { rows } } });
  return renderWeb(
    <DataLayer>
      <AccountAccess />
    </DataLayer>,
  );
}

test("lists what staff did, with their role and the time, or says that they did nothing", async () => {
  const description = "Viewed the portal as the customer";
  const { unmount } = open([{ at: "2026-09-03T14:07:00.000Z", kind: "VIEWED", role: "Support", description }]);
  const row = await screen.findByRole("listitem");
  expect(row.textContent).toMatch(/^Viewed the portal as the customer Support, .*Sep.* 2026/);
  unmount();
  open([]);
  expect(await screen.findByText("Our staff haven't viewed or changed your account.")).toBeTruthy();
});
