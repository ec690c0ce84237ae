import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { boolean, object, string } from "yup";
import { field, fill } from "#tests/support/fill-form.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { deleteDrafts, deleteDraftsOnSignOutElsewhere } from "#web/platform/delete-drafts.ts";
import { CheckboxField, PasswordField, TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";

const rules = object({
  name: string().required("Name is required."),
  place: string().default(""),
  isTester: boolean().default(false),
  password: string().default(""),
});
const initial = { name: "Ada", place: "", isTester: false, password: "" };
const RESTORED = /We restored what you typed earlier\./;
const readStoredDraft = (name = "note") => JSON.parse(sessionStorage.getItem(`xer-portal.draft.${name}`) ?? "null");

function Form(props: { draft?: string | undefined; onSubmit?: () => unknown; defaults?: typeof initial }) {
  const form = useAppForm(rules, { defaultValues: props.defaults ?? initial });
  const { control } = form;
  return (
    <AppForm form={form} onSubmit={props.onSubmit ?? (() => undefined)} fallback="No." draft={props.draft}>
      <TextField control={control} name="name" label="Name" />
      <TextField control={control} name="place" label="Place" />
      <CheckboxField control={control} name="isTester" label="Tester" />
      <PasswordField control={control} name="password" label="Password" autoComplete="new-password" />
      <SubmitButton>Send</SubmitButton>
    </AppForm>
  );
}

/** Renders the form. `reload` renders it again with only the tab's storage kept. */
function open(props: Parameters<typeof Form>[0] = { draft: "note" }) {
  const view = renderWeb(<Form {...props} />);
  const reload = (next = props) => {
    view.unmount();
    return renderWeb(<Form {...next} />);
  };
  return { ...view, reload };
}

beforeEach(() => {
  // Also those that an earlier test kept in memory.
  deleteDrafts();
  resetSession();
  notify.clear();
});

test("restores input after a reload and shows a message, but never stores a password", () => {
  const { reload } = open();
  expect(screen.queryByText(RESTORED)).toBeNull();
  fill({ Name: "Grace", Place: "Brisbane", Password: "Critical-path-31" });
  fireEvent.click(screen.getByRole("checkbox", { name: "Tester" }));
  expect([sessionStorage, localStorage].flatMap(Object.values).join()).not.toContain("Critical-path-31");
  reload();
  expect(["Name", "Place", "Password"].map((label) => field(label).value)).toEqual(["Grace", "Brisbane", ""]);
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Tester" }).checked).toBe(true);
  expect(screen.getByRole("status").textContent).toContain("Passwords are never saved.");
});

test("stores only changed fields", () => {
  const { reload } = open();
  fill({ Place: "Brisbane" });
  expect(readStoredDraft()).toEqual({ place: "Brisbane" });
  reload({ draft: "note", defaults: { ...initial, name: "Augusta" } });
  expect([field("Name").value, field("Place").value]).toEqual(["Augusta", "Brisbane"]);
  fill({ Place: "" });
  expect(readStoredDraft()).toBeNull();
});

test("resets the form and deletes the draft when starting again", async () => {
  const { reload } = open();
  fill({ Name: "Grace" });
  await reload().user.click(screen.getByRole("button", { name: "Start again" }));
  expect(field("Name").value).toBe("Ada");
  expect(document.activeElement).toBe(field("Name"));
  expect(screen.queryByText(RESTORED)).toBeNull();
  expect(readStoredDraft()).toBeNull();
});

test("deletes the draft after submitting, but not after a failure", async () => {
  let isFailing = true;
  const onSubmit = () => {
    if (isFailing) throw new Error("Away.");
  };
  const { user } = open({ draft: "note", onSubmit });
  fill({ Name: "Grace" });
  await user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByRole("alert");
  expect(readStoredDraft()).toEqual({ name: "Grace" });
  isFailing = false;
  await user.click(screen.getByRole("button", { name: "Send" }));
  await waitFor(() => expect(readStoredDraft()).toBeNull());
});

test("keeps each user's drafts separate, and stores nothing for a form without a draft name", () => {
  const { reload } = open({ draft: "note.user-1" });
  fill({ Name: "Grace" });
  const other = reload({ draft: "note.user-2" });
  expect(field("Name").value).toBe("Ada");
  other.unmount();
  open({});
  fill({ Name: "Hedy" });
  expect(Object.keys(sessionStorage)).toEqual(["xer-portal.draft.note.user-1"]);
});

test("keeps what was typed before the scripts loaded instead of an older draft", () => {
  sessionStorage.setItem("xer-portal.draft.note", '{"name":"Grace","place":"Brisbane"}');
  window.chosenEarly = [["place", "Sydney"]];
  open();
  expect([field("Name").value, field("Place").value]).toEqual(["Grace", "Sydney"]);
});

test("ignores an invalid draft", () => {
  const known = '{"name":7,"place":{"a":1},"isTester":"yes","other":"x","password":"known"}';
  for (const kept of [known, "half a wor{", "null", "[1]"]) {
    sessionStorage.setItem("xer-portal.draft.note", kept);
    const { unmount } = open();
    expect([field("Name").value, field("Place").value, field("Password").value]).toEqual(["Ada", "", ""]);
    expect(screen.queryByText(RESTORED)).toBeNull();
    unmount();
  }
});

test("deletes drafts when the user signs out in another tab, but not when the session is refreshed", () => {
  const stop = deleteDraftsOnSignOutElsewhere();
  open();
  fill({ Name: "Grace" });
  window.dispatchEvent(new StorageEvent("storage", { key: "xer-portal.session" }));
  expect(readStoredDraft()).toEqual({ name: "Grace" });
  window.dispatchEvent(new StorageEvent("storage", { key: null }));
  expect(readStoredDraft()).toBeNull();
  stop();
});
