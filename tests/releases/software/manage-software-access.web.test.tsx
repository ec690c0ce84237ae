import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { AppRoutes } from "#web/app/router.tsx";

beforeEach(() => {
  resetSession();
  signInAs("admin");
});

test.each(["regular", "corporate"] as const)("redirects %s users to the home page", async (role) => {
  signInAs(role);
  const { place } = renderWeb(<AppRoutes />, { at: "/admin/manage-software/" });
  await waitFor(() => expect(place()).toBe("/"));
});

test("opens from the admin home page", async () => {
  // No response, because an error would open another page.
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  const { user, place } = renderWeb(<AppRoutes />, { at: "/admin/" });
  await user.click(await screen.findByRole("link", { name: /^Manage Software/ }, { timeout: 10_000 }));
  await waitFor(() => expect(place()).toBe("/admin/manage-software/"));
});
