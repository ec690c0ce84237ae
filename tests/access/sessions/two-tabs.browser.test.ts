import { expect, signInAsDemo, test } from "#tests/support/browser.ts";

test("two tabs whose access token has run out refresh it at once, again and again, and stay signed in", async ({
  page,
  context,
}) => {
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
    // The heading stands before the answer is stored, which would put an end to the next round's expiry.
    await expect.poll(() => page.evaluate(expiresAt)).toBeGreaterThan(0);
  }
  expect([...visited]).toEqual(["/my-account/"]);
  // Whoever comes second finds the new token stored; a page that is left while it asks may have asked in vain.
  expect(refreshes).toBeGreaterThanOrEqual(rounds);
});

/** When the stored access token runs out, ms; runs in the page. */
function expiresAt(): number {
  const session = JSON.parse(localStorage.getItem("xer-portal.session") ?? "{}") as { expiresAt?: number };
  return session.expiresAt ?? 0;
}
