import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { getRoleScopes, MAX_TOKENS, scopes } from "#schema/personal-access-token.ts";
import { fill } from "#tests/support/fill-form.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import type { Role } from "#web/platform/session.ts";
import { UserTokensPanel } from "#web/access/sessions/user-sessions-panel.tsx";
import {
  CreatePersonalAccessTokenDocument,
  PersonalAccessTokensDocument,
  RevokePersonalAccessTokenDocument,
  TokensOfUserDocument,
} from "#web/generated/graphql.ts";
import PersonalAccessTokensPage from "#web/access/personal-access-tokens/personal-access-tokens.tsx";
import { findLabel } from "#schema/closed-list.ts";

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

// Load the dialogs first, because loading them on a busy machine may exceed the timeout of a single test.
beforeAll(async () => {
  await import("#web/ui/dialog-modal.tsx");
  await import("#web/access/personal-access-tokens/create-token-dialog.tsx");
});

const token = (id: string, changes: object = {}) => ({
  id,
  name: `Export ${id}`,
  scopes: ["LICENCES_READ"],
  hint: "aB-9",
  createdAt: "2026-09-03T14:07:00.000Z",
  expiresAt: inDays(90),
  ...changes,
});

const mockTokens = (...personalAccessTokens: object[]) =>
  mockQuery(PersonalAccessTokensDocument).returns({ personalAccessTokens });
const revoking = mockQuery(RevokePersonalAccessTokenDocument, { id: "1" });
const revoked = revoking.returns({ revokePersonalAccessToken: { id: "1", revokedAt: "2026-10-01T00:00:00.000Z" } });
const creating = (input: object) => mockQuery(CreatePersonalAccessTokenDocument, { input: { networks: [], ...input } });

function open(mocks: Mock[], role: Role = "regular") {
  startAs(role);
  return renderMocked(mocks, <PersonalAccessTokensPage />, "/personal-access-tokens/");
}

const row = async (name: string) => within((await screen.findByRole("heading", { name })).closest("li")!);

describe("page", () => {
  test("shows each token's name, scopes, last use and expiry, and marks expiry and scopes the user can't have", async () => {
    open([
      mockTokens(
        token("1", {
          scopes: ["LICENCES_READ", "BILLING_READ"],
          lastUsedAt: "2026-09-30T23:59:00.000Z",
          lastUsedIp: "203.0.113.7",
          networks: ["203.0.113.0/24", "2001:db8::/48"],
          expiresAt: "2999-01-02T03:04:00.000Z",
        }),
        token("2"),
        token("3", { expiresAt: inDays(-1) }),
        token("4", { expiresAt: inDays(2.5) }),
        token("5", { scopes: ["USERS_READ", "REPORTS_READ"] }),
      ),
    ]);
    expect(screen.getByRole("heading", { level: 1, name: "Personal access tokens" })).toBeTruthy();
    const used = await row("Export 1");
    const networks = "203.0.113.0/24, 2001:db8::/48";
    for (const text of ["xpat_…aB-9", "Read licences", "Read billing", "from 203.0.113.7", networks])
      expect(used.getByText(text)).toBeTruthy();
    for (const time of ["1 Oct 2026, 7:59 am AWST", "2 Jan 2999, 11:04 am AWST"])
      expect(used.getByText(time)).toBeTruthy();
    expect((await row("Export 2")).getByText("Never")).toBeTruthy();
    expect((await row("Export 3")).getAllByText("Expired")).toHaveLength(2);
    expect((await row("Export 4")).getByText("Expires in 3 days")).toBeTruthy();
    expect((await row("Export 5")).getAllByText("(not available for this user type)")).toHaveLength(2);
    expect(screen.getByText(`4 of ${MAX_TOKENS} tokens in use.`)).toBeTruthy();
    expect(screen.getByLabelText("Command").textContent).toMatch(/\/v1\/licence\//);
  });

  test("shows an example call that fits the role to users without tokens", async () => {
    for (const [role, command, scope] of [
      ["admin", /\/v1\/promoCode.+Bearer xpat_…/s, "promo-codes:read"],
      ["regular", /\/v1\/licence\/.+Bearer xpat_…/s, "licences:read"],
    ] as const) {
      const { unmount } = open([mockTokens()], role);
      expect(await screen.findByText("No personal access tokens.")).toBeTruthy();
      expect(screen.getByLabelText("Command").textContent).toMatch(command);
      expect(screen.getByText(scope)).toBeTruthy();
      expect(screen.getByRole("button", { name: "Copy" })).toBeTruthy();
      expect(screen.getByRole("link", { name: "Developers" })).toBeTruthy();
      unmount();
    }
  });

  test("disables the Create token button when the token limit is reached", async () => {
    open([mockTokens(...Array.from({ length: MAX_TOKENS }, (_, n) => token(String(n))))]);
    expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Create token" })).disabled).toBe(true);
    expect(screen.getByText(/Revoke one to create another/)).toBeTruthy();
  });
});

describe("creating a token", () => {
  async function openDialog(mocks: Mock[], role: Role = "regular") {
    const { user, unmount } = open(mocks, role);
    await user.click(await screen.findByRole("button", { name: "Create token" }));
    return { user, unmount, dialog: within(await screen.findByRole("dialog", { name: "Create token" })) };
  }

  test("offers the scopes of the role with explanations", async () => {
    for (const role of ["regular", "admin"] as const) {
      const { dialog, unmount } = await openDialog([mockTokens()], role);
      const boxes = dialog.getAllByRole("checkbox");
      const read = (box: Element | undefined, attribute: string) =>
        document.getElementById(box?.getAttribute(attribute) ?? "")?.textContent;
      expect(boxes.map((box) => read(box, "aria-labelledby"))).toEqual(
        getRoleScopes(role).map((scope) => findLabel(scopes, scope)),
      );
      expect(read(boxes[0], "aria-describedby")).toMatch(
        role === "admin" ? /^See every licence/ : /^See your licences/,
      );
      expect(dialog.getByLabelText<HTMLInputElement>("IP addresses and networks").required).toBe(false);
      unmount();
    }
  });

  /** Fills in the dialog with a name, and scopes in the order of the clicks, and submits it. */
  async function create({ user, dialog }: Awaited<ReturnType<typeof openDialog>>, name: string, ...names: string[]) {
    fill({ Name: name });
    for (const label of names) await user.click(dialog.getByRole("checkbox", { name: label }));
    await user.click(dialog.getByRole("button", { name: "Create token" }));
    return within(await screen.findByRole("dialog", { name: "Your new token" }));
  }

  test("shows the new token once, keeps it after Escape until it is copied, and lists it", async () => {
    const view = await openDialog([
      mockTokens(),
      creating({ name: "Export 2", scopes: ["LICENCES_READ", "BILLING_READ"], expiresInDays: 90 }).returns({
        createPersonalAccessToken: { secret: "xpat_the-text-of-it", token: token("2") },
      }),
      mockTokens(token("2")),
    ]);
    fill({ Expiry: "90" });
    const shown = await create(view, "Export 2", "Read billing", "Read licences");
    const copied = vi.spyOn(navigator.clipboard, "writeText");
    const copy = shown.getByRole("button", { name: "Copy" });
    await waitFor(() => expect(document.activeElement).toBe(copy));
    expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(false);
    await view.user.keyboard("{Escape}");
    expect(await shown.findByText("Not copied yet. Copy it first, or press “I’ve saved it”.")).toBeTruthy();
    await view.user.click(copy);
    expect(await screen.findByText("The token has been copied to clipboard.")).toBeTruthy();
    expect(copied).toHaveBeenCalledWith("xpat_the-text-of-it");
    await waitFor(() => expect(shown.queryByText(/^Not copied yet/)).toBeNull());
    await view.user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByText("xpat_the-text-of-it")).toBeNull());
    expect(await screen.findByRole("heading", { name: "Export 2" })).toBeTruthy();
  });

  test("requires a name and a scope", async () => {
    const { user, dialog } = await openDialog([mockTokens()]);
    await user.click(dialog.getByRole("button", { name: "Create token" }));
    expect(await dialog.findByText("Name is required.")).toBeTruthy();
    expect(dialog.getByText("Choose at least one scope.")).toBeTruthy();
    await user.click(dialog.getByRole("checkbox", { name: "Read licences" }));
    await waitFor(() => expect(dialog.queryByText("Choose at least one scope.")).toBeNull());
  });
});

describe("revoking a token", () => {
  test("reports a refusal, explains the consequences, revokes the token and moves the focus", async () => {
    const both = mockTokens(token("1"), token("2"));
    const refusal = revoking.fails("UNAVAILABLE", "Try again in a moment.");
    const again = revoking.fails("NOT_FOUND");
    const revokedToo = mockQuery(RevokePersonalAccessTokenDocument, { id: "2" }).fails("NOT_FOUND");
    const rest = mockTokens(token("2"));
    const { user } = open([both, refusal, both, again, both, revoked, rest, revokedToo, mockTokens()]);
    for (const message of ["Try again in a moment.", "The token was already revoked."]) {
      await user.click((await row("Export 1")).getByRole("button", { name: "Revoke" }));
      await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Revoke" }));
      expect(await screen.findByText(message)).toBeTruthy();
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    }
    await user.click((await row("Export 1")).getByRole("button", { name: "Revoke" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Revoke token" }));
    expect(dialog.getByText(/“Export 1” \(xpat_…aB-9\) will lose access immediately/)).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Revoke" }));
    expect(await screen.findByText("The token has been revoked.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("heading", { name: "Export 1" })).toBeNull());
    const summary = await screen.findByText(`1 of ${MAX_TOKENS} tokens in use.`);
    await waitFor(() => expect(document.activeElement).toBe(summary));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click((await row("Export 2")).getByRole("button", { name: "Revoke" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Revoke" }));
    expect(await screen.findByText("No personal access tokens.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("group", { name: "Tokens" })));
  });

  test("lets an admin list and revoke a user's tokens", async () => {
    startAs("admin");
    const ofUser = (...personalAccessTokens: object[]) =>
      mockQuery(TokensOfUserDocument, { id: "user-7" }).returns({
        user: { id: "user-7", memberType: "REGULAR", personalAccessTokens },
      });
    const mocks = [ofUser(token("1", { scopes: ["USERS_READ"] })), revoked, ofUser()];
    const { user } = renderMocked(mocks, <UserTokensPanel userId="user-7" />);
    const shown = await row("Export 1");
    // The available scopes depend on the user's type, not on the admin's.
    expect(shown.getByText("(not available for this user type)")).toBeTruthy();
    await user.click(shown.getByRole("button", { name: "Revoke" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Revoke" }));
    expect(await screen.findByText("No personal access tokens.")).toBeTruthy();
  });
});
