import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { array, boolean, object, string } from "yup";
import { repeatedPassword } from "#schema/password.ts";
import { renderWeb } from "#tests/support/render-web.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DayInput } from "#web/ui/form/date-field.tsx";
import * as portalFields from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import * as publicFields from "#web/ui/form/native-fields.tsx";
import { notify } from "#web/platform/notifications.ts";
import { NetworkFailure, ServerError } from "#web/platform/server-error.ts";

const rules = object({
  firstName: string().required("First name is required."),
  companyName: string(),
  email: string().required("Email is required.").email("Invalid email address"),
  password: string().required("Password is required."),
  confirmPassword: repeatedPassword(),
  level: string().required("Subscription level is required."),
  accepted: boolean().oneOf([true], "Please accept the terms and conditions."),
});

const INVALID = "You have one or more fields missing, please correct these and submit again.";
const nobody = { firstName: "", companyName: "", email: "", password: "", confirmPassword: "" };
const empty = { ...nobody, level: "", accepted: false };
const ada = { ...nobody, firstName: "Ada", email: "a@b.example", password: "x", confirmPassword: "x" };
const good = { ...ada, level: "2", accepted: true };

function Form(props: {
  onSubmit: (values: unknown) => unknown;
  start?: typeof empty;
  source?: typeof rules | (() => Promise<typeof rules>);
  fields?: typeof portalFields | typeof publicFields;
}) {
  const { onSubmit, start = empty, source = rules, fields = portalFields } = props;
  const { CheckboxField, EmailField, PasswordField, SelectField, TextField } = fields;
  const form = useAppForm(source, { defaultValues: start });
  const { control } = form;
  return (
    <AppForm form={form} onSubmit={onSubmit} fallback="Unable to register.">
      <TextField control={control} name="firstName" label="First Name" />
      <TextField control={control} name="companyName" label="Organisation / Company Name" optional />
      <EmailField control={control} name="email" label="Email" hint="For the link." />
      <PasswordField control={control} name="password" label="Password" autoComplete="new-password" />
      <PasswordField control={control} name="confirmPassword" label="Confirm password" autoComplete="new-password" />
      <SelectField
        control={control}
        name="level"
        label="Subscription Level"
        placeholder="Choose"
        options={[{ value: "2", label: "Professional" }]}
      />
      <CheckboxField control={control} name="accepted" label="I accept" />
      <SubmitButton>Submit</SubmitButton>
    </AppForm>
  );
}

const describedBy = (element: HTMLElement) =>
  (element.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent)
    .join(" ");

beforeEach(() => notify.clear());

const kits = Object.entries({ portal: portalFields, public: publicFields });

test.each(kits)("labels %s fields with their text only, and shows and hides a password", async (_, fields) => {
  const { user } = renderWeb(<Form onSubmit={() => undefined} fields={fields} />);
  for (const label of ["First Name", "Organisation / Company Name", "Email", "Password", "Confirm password"])
    expect(screen.getByLabelText(label, { exact: true }).tagName).toBe("INPUT");
  expect(describedBy(screen.getByLabelText("Organisation / Company Name"))).toContain("Optional");
  expect(describedBy(screen.getByLabelText("Email"))).toContain("For the link.");
  expect(screen.getByLabelText("Email").getAttribute("autocomplete")).toBe("email");
  const isRequired = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { exact: true }).required;
  for (const label of ["First Name", "Email", "Password", "Subscription Level"]) expect(isRequired(label)).toBe(true);
  expect(isRequired("Organisation / Company Name")).toBe(false);
  const password = screen.getByLabelText("Password", { exact: true });
  expect(password.getAttribute("type")).toBe("password");
  await user.click(screen.getAllByRole("button", { name: "Show" })[0] as HTMLElement);
  expect(password.getAttribute("type")).toBe("text");
  expect(password.getAttribute("autocomplete")).toBe("new-password");
  // Its name says what it does, so a state would say the opposite.
  expect(screen.getByRole("button", { name: "Hide" }).hasAttribute("aria-pressed")).toBe(false);
  await user.click(screen.getByRole("button", { name: "Hide" }));
  expect(password.getAttribute("type")).toBe("password");
});

test.each(kits)("shows an invalid %s form's messages until fixed, and focuses its first field", async (_, fields) => {
  const onSubmit = vi.fn();
  const { user } = renderWeb(<Form onSubmit={onSubmit} fields={fields} />);
  await user.click(screen.getByRole("button", { name: "Submit" }));
  expect((await screen.findByRole("alert")).textContent).toBe(INVALID);
  expect(onSubmit).not.toHaveBeenCalled();
  const firstName = screen.getByLabelText("First Name");
  await waitFor(() => expect(document.activeElement).toBe(firstName));
  for (const name of ["First Name", "Password", "Subscription Level", "I accept"])
    expect(screen.getByLabelText(name, { exact: true }).getAttribute("aria-invalid")).toBe("true");
  expect(describedBy(firstName)).toContain("First name is required.");
  expect(describedBy(screen.getByLabelText("Password"))).toContain("Password is required.");
  expect(describedBy(screen.getByLabelText("Subscription Level"))).toContain("Subscription level is required.");
  expect(describedBy(screen.getByLabelText("I accept"))).toContain("Please accept the terms and conditions.");
  fireEvent.change(firstName, { target: { value: "A" } });
  await waitFor(() => expect(screen.queryByText("First name is required.")).toBeNull());
  fireEvent.click(screen.getByLabelText("I accept"));
  await waitFor(() => expect(screen.queryByText("Please accept the terms and conditions.")).toBeNull());
  expect(screen.getByText("Email is required.")).toBeTruthy();
});

const planRules = object({ plans: array(string().required()).min(1, "Choose a plan.").required() });

function PlanForm() {
  const form = useAppForm(planRules, { defaultValues: { plans: [] } });
  const options = ["Plus", "Professional"].map((label) => ({ value: label.toLowerCase(), label }));
  return (
    <AppForm form={form} onSubmit={() => undefined} fallback="">
      <portalFields.CheckboxesField control={form.control} name="plans" label="Plans" hint="Any." options={options} />
      <SubmitButton>Submit</SubmitButton>
    </AppForm>
  );
}

test("marks each checkbox of an invalid group, with its message, and focuses the first one", async () => {
  const { user } = renderWeb(<PlanForm />);
  await user.click(screen.getByRole("button", { name: "Submit" }));
  await screen.findByText("Choose a plan.");
  const boxes = screen.getAllByRole("checkbox");
  for (const box of boxes) {
    expect(box.getAttribute("aria-invalid")).toBe("true");
    expect(describedBy(box)).toBe("Any. Choose a plan.");
  }
  await waitFor(() => expect(document.activeElement).toBe(boxes[0]));
  await user.click(boxes[1] as HTMLElement);
  await waitFor(() => expect(screen.queryByText("Choose a plan.")).toBeNull());
  expect(boxes.map((box) => box.getAttribute("aria-invalid"))).toEqual([null, null]);
});

test("hides a message when another field is corrected", async () => {
  const { user } = renderWeb(<Form onSubmit={() => undefined} start={{ ...good, confirmPassword: "xy" }} />);
  await user.click(screen.getByRole("button", { name: "Submit" }));
  expect(await screen.findByText("Passwords must match")).toBeTruthy();
  await user.type(screen.getByLabelText("Password"), "y");
  await waitFor(() => expect(screen.queryByText("Passwords must match")).toBeNull());
});

const message = "Some of the values sent are missing or not valid.";
const createRefusal = (fields: Record<string, string[]>) =>
  new ServerError([{ message, extensions: { code: "BAD_USER_INPUT", fields } }]);

test("shows the API's messages under their fields, a notification, and keeps the input", async () => {
  const refusal = createRefusal({ email: ["This address can't receive email."], level: ["Not on sale."] });
  const { user } = renderWeb(<Form onSubmit={() => Promise.reject(refusal)} start={good} />);
  await user.click(screen.getByRole("button", { name: "Submit" }));
  const email = screen.getByLabelText<HTMLInputElement>("Email");
  await waitFor(() => expect(describedBy(email)).toContain("This address can't receive email."));
  expect(document.activeElement).toBe(email);
  expect(email.value).toBe("a@b.example");
  expect(screen.getByRole("alert").textContent).toBe(INVALID);
  await user.type(email, "x");
  await waitFor(() => expect(screen.queryByText("This address can't receive email.")).toBeNull());
});

test("notifies of the errors that have no field, of the only field's error, or with the fallback", async () => {
  const sentence = "This address can't receive email.";
  const email = [sentence];
  const away = new NetworkFailure("No answer.");
  const errors = [createRefusal({ email, other: ["Not known."] }), createRefusal({ email }), away];
  const { user } = renderWeb(<Form onSubmit={() => Promise.reject(errors.shift() ?? new Error())} start={good} />);
  for (const expected of [`${sentence} Not known.`, sentence, "Unable to register."]) {
    await user.click(screen.getByRole("button", { name: "Submit" }));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(expected));
    expect(screen.queryByText(message)).toBeNull();
    notify.clear();
  }
});

test("can't be submitted twice at the same time", async () => {
  let finish = () => {};
  const onSubmit = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const { user } = renderWeb(<Form onSubmit={onSubmit} start={good} />);
  await user.type(screen.getByLabelText("First Name"), "{Enter}");
  await user.type(screen.getByLabelText("First Name"), "{Enter}");
  await user.click(screen.getByRole("button", { name: "Submit" }));
  expect(onSubmit).toHaveBeenCalledTimes(1);
  expect(onSubmit).toHaveBeenCalledWith(good);
  finish();
  await waitFor(() => expect(screen.getByRole("button", { name: "Submit" }).hasAttribute("data-busy")).toBe(false));
});

test("validates with rules loaded on demand, and keeps the input if they can't be loaded", async () => {
  const load = vi.fn(async () => rules);
  const { user, unmount } = renderWeb(<Form onSubmit={() => undefined} source={load} />);
  expect(load).not.toHaveBeenCalled();
  await user.click(screen.getByLabelText("First Name"));
  expect(load).toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Submit" }));
  expect(await screen.findByText("First name is required.")).toBeTruthy();
  unmount();
  notify.clear();

  const away = async () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  const again = renderWeb(<Form onSubmit={() => undefined} source={away} start={good} />);
  const online = vi.spyOn(navigator, "onLine", "get");
  for (const [isOnline, message] of [
    [false, "Unable to register."],
    [true, "We couldn't load this part of the page. Reload the page and try again."],
  ] as const) {
    online.mockReturnValue(isOnline);
    await again.user.click(screen.getByRole("button", { name: "Submit" }));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(message));
  }
  online.mockRestore();
  expect(screen.getByLabelText<HTMLInputElement>("First Name").value).toBe("Ada");
});

test("reads a date with or without separators, but not one that could be two days", () => {
  const onChange = vi.fn();
  renderWeb(<DayInput label="From" value="" onChange={onChange} />);
  const box = screen.getByLabelText("From");
  const typed = ["5/3/2026", "05.03.2026", "5 3 2026", "05 / 03 / 2026", "2026/3/5", "05032026"];
  for (const value of [...typed, "1112026", "5/3/26"]) fireEvent.change(box, { target: { value } });
  expect(onChange.mock.calls.flat()).toEqual([...typed.map(() => "2026-03-05"), "1112026", "5/3/26"]);
});

test("reads the day of a time that was copied from a report", () => {
  const onChange = vi.fn();
  renderWeb(<DayInput label="From" value="" onChange={onChange} />);
  const box = screen.getByLabelText("From");
  const times = ["2026-03-05T23:59:59Z", "2026-03-05 10:00", "2026-03-05 1"];
  for (const value of times) fireEvent.change(box, { target: { value } });
  expect(onChange.mock.calls.flat()).toEqual(["2026-03-05", "2026-03-05", "2026-03-05 1"]);
});
