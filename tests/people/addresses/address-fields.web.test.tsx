import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { object } from "yup";
import { countries } from "#schema/countries.ts";
import { addressRules } from "#schema/rules/address.ts";
import { statesByCountry } from "#schema/states.ts";
import { renderWeb } from "#tests/support/render-web.tsx";
import { AddressFields } from "#web/people/addresses/address-fields.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";

const rules = object(addressRules);

function Form() {
  const form = useAppForm(rules, {
    defaultValues: {
      unitNumber: "",
      streetNumber: "",
      streetName: "",
      city: "",
      state: "",
      postCode: "",
      country: "Australia",
    },
  });
  return (
    <AppForm form={form} onSubmit={() => undefined} fallback="No.">
      <AddressFields form={form} />
      <SubmitButton>Submit</SubmitButton>
    </AppForm>
  );
}

const getOptions = (label: string) =>
  within(screen.getByLabelText(label))
    .getAllByRole<HTMLOptionElement>("option")
    .map((option) => option.value);

test("labels the fields", () => {
  renderWeb(<Form />);
  for (const label of ["Unit number", "Street number", "Street name", "City", "State", "Post Code", "Country"])
    expect(screen.getByLabelText(label, { exact: true })).toBeTruthy();
});

test("lists Australia first, then each other country once in alphabetical order", () => {
  renderWeb(<Form />);
  const [first, ...others] = getOptions("Country");
  expect(first).toBe("Australia");
  expect(others).toEqual([...others].sort((a, b) => a.localeCompare(b, "en")));
  expect(new Set(countries).size).toBe(countries.length);
  for (const country of Object.keys(statesByCountry)) expect(countries).toContain(country);
});

test("shows State as a select for Australia and the United States and as a text field elsewhere", async () => {
  const { user } = renderWeb(<Form />);
  expect(getOptions("State")).toEqual(["", "ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"]);
  await user.selectOptions(screen.getByLabelText("Country"), "United States");
  expect(getOptions("State")).toHaveLength(57);
  await user.selectOptions(screen.getByLabelText("Country"), "New Zealand");
  expect(screen.getByLabelText("State").tagName).toBe("INPUT");
  await user.type(screen.getByLabelText("State"), "Otago");
  await user.selectOptions(screen.getByLabelText("Country"), "Australia");
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>("State").value).toBe(""));
});

test("validates the post code again when the country changes", async () => {
  const { user } = renderWeb(<Form />);
  await user.type(screen.getByLabelText("Post Code"), "90210");
  await user.click(screen.getByRole("button", { name: "Submit" }));
  expect(await screen.findByText("Invalid Australian post code.")).toBeTruthy();
  await user.selectOptions(screen.getByLabelText("Country"), "United States");
  await waitFor(() => expect(screen.queryByText("Invalid Australian post code.")).toBeNull());
});
