import { act, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { object, string } from "yup";
import { renderWeb } from "#tests/support/render-web.tsx";
import { MoneyDialog } from "#web/billing/money-dialog.tsx";
import { AppDialog, ConfirmDialog, type ConfirmDialogProps } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";

function dialog(props: Partial<ConfirmDialogProps> = {}) {
  return (
    <ConfirmDialog
      opened
      title="Deactivate device"
      confirmLabel="Deactivate"
      onConfirm={() => undefined}
      onCancel={() => undefined}
      {...props}
    >
      {props.children ?? "Are you sure?"}
    </ConfirmDialog>
  );
}

test("has a role, a name and a message, and closes without confirming on Cancel and Escape", async () => {
  const onCancel = vi.fn();
  const onConfirm = vi.fn();
  const { user } = renderWeb(dialog({ onCancel, onConfirm }));
  const found = within(await screen.findByRole("dialog", { name: "Deactivate device" }));
  expect(found.getByText("Are you sure?")).toBeTruthy();
  expect(found.getByRole("button", { name: "Deactivate" })).toBeTruthy();
  await user.click(found.getByRole("button", { name: "Cancel" }));
  await user.keyboard("{Escape}");
  expect(onCancel).toHaveBeenCalledTimes(2);
  expect(onConfirm).not.toHaveBeenCalled();
});

test("confirms once and can't be closed while the action is running", async () => {
  let finish = () => {};
  const onConfirm = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const onCancel = vi.fn();
  const { user } = renderWeb(dialog({ onCancel, onConfirm }));
  const yes = await screen.findByRole("button", { name: "Deactivate" });
  yes.click();
  yes.click();
  await user.dblClick(yes);
  await user.keyboard("{Escape}");
  expect(onConfirm).toHaveBeenCalledTimes(1);
  expect(onCancel).not.toHaveBeenCalled();
  finish();
  await waitFor(() => expect(yes.hasAttribute("data-busy")).toBe(false));
  await user.click(yes);
  expect(onConfirm).toHaveBeenCalledTimes(2);
});

test("confirms with Enter in its field, once, and not the form of its page", async () => {
  let finish = () => {};
  const onConfirm = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const onSubmit = vi.fn();
  const { user } = renderWeb(
    <form onSubmit={onSubmit}>
      {dialog({
        onConfirm,
        children: (
          <label>
            Word <input />
          </label>
        ),
      })}
    </form>,
  );
  await user.type(await screen.findByLabelText("Word"), "DEACTIVATE{Enter}{Enter}");
  expect(onConfirm).toHaveBeenCalledOnce();
  expect(onSubmit).not.toHaveBeenCalled();
  finish();
  const yes = screen.getByRole("button", { name: "Deactivate" });
  await waitFor(() => expect(yes.hasAttribute("data-busy")).toBe(false));
});

test.each([
  ["presses the button of a money dialog", [], 1],
  ["waits until the effects are known", undefined, 0],
] as const)("Enter in a field %s", async (_, effects, count) => {
  const onConfirm = vi.fn(async () => {});
  const { user } = renderWeb(
    <MoneyDialog
      opened
      title="Refund"
      confirmLabel="Refund"
      asksReason={false}
      effects={effects}
      onConfirm={onConfirm}
      onClose={() => undefined}
    >
      <label>
        Amount <input />
      </label>
    </MoneyDialog>,
  );
  await user.type(await screen.findByLabelText("Amount"), "5{Enter}");
  expect(onConfirm).toHaveBeenCalledTimes(count);
});

const creditRules = object({ reason: string() });

function CreditDialog({ onSubmit, onClose }: { onSubmit: () => Promise<void>; onClose: () => void }) {
  const form = useAppForm(creditRules, { defaultValues: { reason: "" } });
  return (
    <FormDialog opened title="Add Credit" submit="Add" form={form} fallback="" {...{ onSubmit, onClose }}>
      <TextField control={form.control} name="reason" label="Reason" />
    </FormDialog>
  );
}

test.each([
  ["a form", CreditDialog],
  [
    "money",
    ({ onSubmit, onClose }: Parameters<typeof CreditDialog>[0]) => (
      <MoneyDialog
        opened
        title="Refund"
        confirmLabel="Add"
        asksReason={false}
        effects={[]}
        onConfirm={onSubmit}
        onClose={onClose}
      />
    ),
  ],
])("of %s can't be closed while it is sent", async (_, Dialog) => {
  let finish = () => {};
  const onSubmit = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const onClose = vi.fn();
  const { user } = renderWeb(<Dialog onSubmit={onSubmit} onClose={onClose} />);
  const add = await screen.findByRole("button", { name: "Add" });
  await user.click(add);
  await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: /^(Cancel|Close)$/ }));
  expect(onClose).not.toHaveBeenCalled();
  finish();
  await waitFor(() => expect(add.hasAttribute("data-busy")).toBe(false));
  onClose.mockClear();
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

test("can be opened and confirmed again while the action that closed it still reads a list", async () => {
  const onConfirm = vi.fn(() => new Promise<void>(() => {}));
  function Page() {
    const [isOpen, setOpen] = useState(true);
    return (
      <>
        <button type="button" onClick={() => setOpen(!isOpen)}>
          Toggle
        </button>
        {dialog({ opened: isOpen, onConfirm })}
      </>
    );
  }
  renderWeb(<Page />);
  const toggle = () => act(() => screen.getByRole("button", { name: "Toggle", hidden: true }).click());
  for (const count of [1, 2]) {
    const confirm = await screen.findByRole("button", { name: "Deactivate" });
    expect(confirm.hasAttribute("data-busy")).toBe(false);
    act(() => confirm.click());
    expect(onConfirm).toHaveBeenCalledTimes(count);
    toggle();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    toggle();
  }
});

test("focuses Cancel first if the action can't be undone", async () => {
  renderWeb(dialog({ danger: true, confirmLabel: "Deactivate" }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Cancel"));
  expect(screen.getByRole("button", { name: "Deactivate" })).toBeTruthy();
});

/** A dialog with a field that is unmounted when it closes, and the button that opens it. */
function Refund() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Refund
      </button>
      {isOpen && (
        <AppDialog opened title="Refund invoice" onClose={() => setOpen(false)}>
          <label>
            Amount <input />
          </label>
        </AppDialog>
      )}
    </>
  );
}

test("focuses the first field, and returns the focus to the button when the dialog closes", async () => {
  const { user } = renderWeb(<Refund />);
  await user.click(screen.getByRole("button", { name: "Refund" }));
  const amount = await screen.findByLabelText("Amount");
  await waitFor(() => expect(document.activeElement).toBe(amount));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Refund" }));
});

/** A row that its dialog deletes, with the button that opened the dialog. The list may be read again later. */
function DeletedRow({ isReadLater = false }: { isReadLater?: boolean }) {
  const [state, setState] = useState<"listed" | "asking" | "closed" | "deleted">("listed");
  return (
    <section aria-label="Rows" tabIndex={-1}>
      {state !== "deleted" && (
        <button type="button" onClick={() => setState(state === "closed" ? "deleted" : "asking")}>
          Delete
        </button>
      )}
      {dialog({ opened: state === "asking", onConfirm: () => setState(isReadLater ? "closed" : "deleted") })}
    </section>
  );
}

test.each([false, true])("moves the focus to the list if a dialog's row is gone (later: %s)", async (isReadLater) => {
  const { user } = renderWeb(<DeletedRow isReadLater={isReadLater} />);
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Deactivate" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  if (isReadLater) {
    const opener = screen.getByRole("button", { name: "Delete" });
    expect(document.activeElement).toBe(opener);
    act(() => opener.click());
  }
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("region", { name: "Rows" })));
});

test("keeps the focus when its content is loaded again", async () => {
  function Page() {
    const [isBroken, setBroken] = useState(true);
    return (
      <main id="main" tabIndex={-1}>
        <AppDialog opened title="Seats" onClose={() => undefined}>
          {isBroken && <ErrorState message="Unable to load the seats." onRetry={() => setBroken(false)} />}
        </AppDialog>
      </main>
    );
  }
  await renderWeb(<Page />).user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("dialog", { name: "Seats" }));
});
