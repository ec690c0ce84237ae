import { expect, signInAsDemo, test } from "#tests/support/browser.ts";

test("keeps two tabs signed in when both refresh an expired token at the same time", async ({ page, context }) => {
  await signInAsDemo(page, "corporate");
  const other = await context.newPage();
  let refreshes = 0;
  const visited = new Set<string>();
  for (const tab of [page, other]) {
    tab.on("request", (request) => {
      if (request.postData()?.includes("RefreshSession")) refreshes++;
    });
    tab.on("framenavigated", (frame) => visited.add(new URL(frame.url()).pathname));
  }
  const rounds = 5;
  for (let round = 0; round < rounds; round++) {
    await page.evaluate(() => {
      const key = "xer-portal.session";
      const session = JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, unknown>;
      localStorage.setItem(key, JSON.stringify({ ...session, expiresAt: 0 }));
    });
    await Promise.all([page, other].map((tab) => tab.goto("/my-account/")));
    for (const tab of [page, other]) {
      await expect(tab.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
      await expect(tab).toHaveURL("/my-account/");
    }
    // The heading appears before the response is stored. Wait for it, or it would overwrite the expiry set in the next round.
    await expect.poll(() => page.evaluate(expiresAt)).toBeGreaterThan(0);
  }
  expect([...visited]).toEqual(["/my-account/"]);
  // The second tab finds the new token in storage. A page that was closed during its refresh may have sent an extra one.
  expect(refreshes).toBeGreaterThanOrEqual(rounds);
});

/** Returns when the stored access token expires, in milliseconds. Runs in the page. */
function expiresAt(): number {
  return (JSON.parse(localStorage.getItem("xer-portal.session") ?? "{}") as { expiresAt?: number }).expiresAt ?? 0;
}
