import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { object } from "yup";
import { countries } from "#schema/countries.ts";
import { addressRules } from "#schema/rules/address.ts";
import { statesByCountry } from "#schema/states.ts";
import { renderWeb } from "#tests/support/render-web.tsx";
import { AddressFields } from "#web/ui/form/address-fields.tsx";
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

const optionsOf = (label: string) =>
  within(screen.getByLabelText(label))
    .getAllByRole<HTMLOptionElement>("option")
    .map((option) => option.value);

test("labels the address fields", () => {
  renderWeb(<Form />);
  for (const label of ["Unit Number", "Street Number", "Street Name", "City", "State", "Post Code", "Country"])
    expect(screen.getByLabelText(label, { exact: true })).toBeTruthy();
});

test("countries begin with Australia and go on in order, each once, the rules' names among them", () => {
  renderWeb(<Form />);
  const [first, ...others] = optionsOf("Country");
  expect(first).toBe("Australia");
  expect(others).toEqual([...others].sort((a, b) => a.localeCompare(b, "en")));
  expect(new Set(countries).size).toBe(countries.length);
  for (const country of Object.keys(statesByCountry)) expect(countries).toContain(country);
});

test("State is a select for Australia and the United States, free text elsewhere", async () => {
  const { user } = renderWeb(<Form />);
  expect(optionsOf("State")).toEqual(["", "ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"]);
  await user.selectOptions(screen.getByLabelText("Country"), "United States");
  expect(optionsOf("State")).toHaveLength(57);
  await user.selectOptions(screen.getByLabelText("Country"), "New Zealand");
  expect(screen.getByLabelText("State").tagName).toBe("INPUT");
  await user.type(screen.getByLabelText("State"), "Otago");
  await user.selectOptions(screen.getByLabelText("Country"), "Australia");
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>("State").value).toBe(""));
});

test("a post code is judged by the country, also when that changes afterwards", async () => {
  const { user } = renderWeb(<Form />);
  await user.type(screen.getByLabelText("Post Code"), "90210");
  await user.click(screen.getByRole("button", { name: "Submit" }));
  expect(await screen.findByText("Invalid Australian post code.")).toBeTruthy();
  await user.selectOptions(screen.getByLabelText("Country"), "United States");
  await waitFor(() => expect(screen.queryByText("Invalid Australian post code.")).toBeNull());
});
