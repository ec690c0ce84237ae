import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getLastInput, openUpdateUser, mockSavedUser, submit } from "./open-update-user.tsx";
import { storedUser } from "./stored-user.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("admin");
});

describe("blocked machines", () => {
  const names = () =>
    within(screen.getByRole("list", { name: "Blocked machines" }))
      .getAllByRole("listitem")
      .map((item) => item.textContent);

  test("adds a machine that isn't blocked yet, marks it as unsaved and saves it on Submit", async () => {
    const { user, sent } = await openUpdateUser(mockSavedUser());
    for (const [name, message] of [
      ["", "Machine name is required."],
      ["  bne-plan-007|OFFICE ", "This machine is already blocked."],
    ] as const) {
      fill({ "Machine name": name });
      await user.click(screen.getByRole("button", { name: "Add machine" }));
      await waitFor(() => expect(messageUnder(field("Machine name"))).toBe(message));
    }
    fill({ "Machine name": "BNE-PLAN-099" });
    await user.type(field("Machine name"), "{Enter}");
    await waitFor(() => expect(names()).toHaveLength(2));
    expect(names()[1]).toContain("Not saved yet");
    expect(names()[0]).toMatch(/since 5 Dec 2025/);
    expect([field("Machine name").value, sent().length]).toEqual(["", 0]);
    expect(screen.getByText("You have unsaved changes.")).toBeTruthy();
    await submit(user);
    await screen.findByText("The user details have been updated.");
    expect(getLastInput(sent()).blockedMachines).toEqual([
      { machineName: "BNE-PLAN-007|office" },
      { machineName: "BNE-PLAN-099" },
    ]);
  });

  test("unblocks a machine after confirmation, offers Undo and saves on Submit", async () => {
    const { user, sent } = await openUpdateUser(mockSavedUser({ blockedMachines: [] }));
    const clickRemove = () => user.click(screen.getByRole("button", { name: "Remove BNE-PLAN-007|office" }));
    await clickRemove();
    const dialog = await screen.findByRole("dialog", { name: "Unblock machine" });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(names()).toHaveLength(1);
    await clickRemove();
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Unblock" }));
    expect(await screen.findByText("No blocked machines.")).toBeTruthy();
    expect(screen.getByText(/One machine will be unblocked when you submit\./)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(names()).toHaveLength(1);
    expect(screen.queryByText("You have unsaved changes.")).toBeNull();
    await clickRemove();
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Unblock" }));
    await submit(user);
    await screen.findByText("The user details have been updated.");
    expect(getLastInput(sent()).blockedMachines).toEqual([]);
    expect(screen.queryByText(/when you submit/)).toBeNull();
  });

  test("copies full names and shortens names over 55 characters only on screen", async () => {
    const [fits, long] = ["M".repeat(55), "N".repeat(56)];
    const blockedMachines = [fits, long].map((machineName, n) => ({
      __typename: "BlockedMachine",
      id: `m${n}`,
      machineName,
      blockedAt: "2025-12-05T02:00:00Z",
    }));
    const { user } = await openUpdateUser({}, { ...storedUser, blockedMachines });
    const writeText = vi.spyOn(navigator.clipboard, "writeText");
    expect(screen.getByText(fits)).toBeTruthy();
    expect(screen.getByText(`${"N".repeat(55)}…`).getAttribute("aria-hidden")).toBe("true");
    expect(screen.getByTitle(long).textContent).toContain(long);
    await user.click(screen.getByRole("button", { name: `Copy ${long}` }));
    expect(writeText).toHaveBeenCalledWith(long);
    expect(await screen.findByText("Machine name copied to clipboard")).toBeTruthy();
  });
});
