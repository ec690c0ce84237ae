import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { object } from "yup";
import { countries, statesByCountry } from "#schema/countries.ts";
import { addressRules } from "#schema/address.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { renderWeb } from "#tests/support/render-web.tsx";
import { AddressFields } from "#web/people/addresses/address-fields.tsx";
import type { AddressSource } from "#web/people/addresses/address-search.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";

const rules = object(addressRules);
const emptyAddress = { unitNumber: "", streetNumber: "", streetName: "", city: "", state: "", postCode: "" };
const locality = (city: string, postCode: string) => ({
  id: city,
  label: `${city} QLD ${postCode}`,
  parts: { ...emptyAddress, city, state: "QLD", postCode, country: "Australia" },
});
const brisbane = locality("Brisbane City", "4000");
const springHill = locality("Spring Hill", "4000");
const eagleStreet = { ...brisbane.parts, unitNumber: "3", streetNumber: "120", streetName: "Eagle Street" };

afterEach(() => vi.useRealTimers());

function open(changes: Partial<AddressSource> = {}, stored = {}) {
  const suggest = vi.fn<AddressSource["suggest"]>(changes.suggest ?? (async () => [brisbane, springHill]));
  const find = vi.fn<AddressSource["find"]>(changes.find ?? (async () => null));
  const findsStreets = changes.findsStreets ?? (async () => false);
  const source = { suggest, find, findsStreets };
  const sent = vi.fn();
  function Form() {
    const form = useAppForm(rules, { defaultValues: { ...emptyAddress, country: "Australia", ...stored } });
    return (
      <AppForm form={form} onSubmit={sent} fallback="No.">
        <AddressFields form={form} source={source} />
        <SubmitButton>Submit</SubmitButton>
      </AppForm>
    );
  }
  return { suggest, find, sent, ...renderWeb(<Form />) };
}

const box = () => screen.getByRole("combobox", { name: "Find address" });
const options = () =>
  Array.from(document.querySelectorAll("[role=listbox] [role=option]"), (option) => option.textContent);
const activeOption = () => document.getElementById(box().getAttribute("aria-activedescendant") ?? "")?.textContent;
const search = async (user: ReturnType<typeof renderWeb>["user"], text: string) => {
  await user.click(box());
  await user.paste(text);
};
const hasFolded = () => document.querySelector("[data-folded]") !== null;
const submit = () => fireEvent.click(screen.getByRole("button", { name: "Submit" }));

test("requests suggestions 200 ms after the last of several letters and announces how many there are", async () => {
  vi.useFakeTimers();
  const { suggest } = open();
  for (const [value, pause] of [
    ["b", 1_000],
    ["br", 199],
    ["bris", 199],
  ] as const) {
    fireEvent.change(box(), { target: { value } });
    await act(() => vi.advanceTimersByTimeAsync(pause));
  }
  expect(suggest).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(suggest.mock.calls).toEqual([["bris", "Australia"]]);
  expect(options()).toEqual(["Brisbane City QLD 4000", "Spring Hill QLD 4000"]);
  expect(box().getAttribute("aria-expanded")).toBe("true");
  expect(document.getElementById(box().getAttribute("aria-controls") ?? "")?.getAttribute("role")).toBe("listbox");
  expect(screen.getByRole("status").textContent).toBe("2 suggestions.");
});

test("cycles through suggestions with the arrow keys and picks one with Enter without submitting the form", async () => {
  const { user, sent } = open();
  fill({ "Street number": "12", "Street name": "Ann Street" });
  await search(user, "4000");
  await screen.findByRole("option", { name: "Spring Hill QLD 4000" });
  const scroll = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
  await user.keyboard("{ArrowDown}");
  expect(activeOption()).toBe("Brisbane City QLD 4000");
  expect(scroll.mock.contexts).toEqual([screen.getByRole("option", { name: "Brisbane City QLD 4000" })]);
  await user.keyboard("{ArrowUp}");
  expect(activeOption()).toBe("Spring Hill QLD 4000");
  expect(document.querySelector("[role=option][aria-selected=true]")?.textContent).toBe("Spring Hill QLD 4000");
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  expect([field("City").value, field("State").value, field("Post Code").value]).toEqual(["Spring Hill", "QLD", "4000"]);
  expect([field("Street number").value, field("Street name").value]).toEqual(["12", "Ann Street"]);
  expect(options()).toEqual([]);
  expect(document.activeElement).toBe(box());
  expect(screen.getByRole("status").textContent).toBe("Filled in Spring Hill QLD 4000. Please add the street below.");
  expect(sent).not.toHaveBeenCalled();
});

test("fetches the details of a selected online suggestion and fills in the street, also after leaving the box", async () => {
  const { promise, resolve } = Promise.withResolvers<typeof eagleStreet>();
  const { user, find } = open({
    suggest: async () => [{ id: "place-1", label: "3/120 Eagle Street, Brisbane", parts: null }],
    find: () => promise,
  });
  await search(user, "120 eagle");
  await user.click(await screen.findByRole("option", { name: /Eagle Street/ }));
  await user.tab();
  resolve(eagleStreet);
  await waitFor(() => expect(field("Street name").value).toBe("Eagle Street"));
  expect(find.mock.calls).toEqual([["place-1"]]);
  expect([field("Unit number").value, field("Street number").value]).toEqual(["3", "120"]);
});

test("closes the list on Escape and on blur and keeps the input", async () => {
  const { user } = open();
  await search(user, "bris");
  await screen.findByRole("option", { name: brisbane.label });
  await user.keyboard("{Escape}");
  expect(options()).toEqual([]);
  expect((box() as HTMLInputElement).value).toBe("bris");
  await search(user, "b");
  await screen.findByRole("option", { name: brisbane.label });
  await user.tab();
  expect(options()).toEqual([]);
});

test("reports when nothing is found or the request fails and allows manual entry", async () => {
  const suggest = vi.fn<AddressSource["suggest"]>(async () => []);
  const { user } = open({ suggest });
  await search(user, "xyzzy");
  expect(hasFolded()).toBe(true);
  expect(await screen.findByText("No suggestions. Please fill in the fields below.")).toBeTruthy();
  expect(hasFolded()).toBe(false);
  suggest.mockRejectedValue(new Error("away"));
  await search(user, "y");
  const message = "Suggestions are not available at the moment. Please fill in the fields below.";
  expect(await screen.findByText(message)).toBeTruthy();
  expect(hasFolded()).toBe(false);
});

test("ignores a response to an older request", async () => {
  vi.useFakeTimers();
  const answers: ((list: (typeof brisbane)[]) => void)[] = [];
  open({ suggest: () => new Promise((resolve) => answers.push(resolve)) });
  for (const text of ["bris", "spring"]) {
    fireEvent.change(box(), { target: { value: text } });
    await act(() => vi.advanceTimersByTimeAsync(200));
  }
  await act(async () => answers[1]?.([springHill]));
  await act(async () => answers[0]?.([brisbane]));
  expect(options()).toEqual(["Spring Hill QLD 4000"]);
});

test("shows folded fields with errors, focuses the first one and keeps them open", async () => {
  const { user } = open();
  expect(hasFolded()).toBe(true);
  submit();
  await waitFor(() => expect(hasFolded()).toBe(false));
  await waitFor(() => expect(document.activeElement).toBe(field("Street number")));
  expect(messageUnder(field("City"))).toBe("City is required.");
  await search(user, "bris");
  await user.click(await screen.findByRole("option", { name: "Brisbane City QLD 4000" }));
  await waitFor(() => expect(messageUnder(field("City"))).toBeNull());
  expect(messageUnder(field("Street number"))).toBe("Street number is required.");
  fill({ "Street number": "1", "Street name": "Ann Street" });
  await waitFor(() => expect(messageUnder(field("Street name"))).toBeNull());
  expect(hasFolded()).toBe(false);
});

test("switches to manual entry and back with the input, and shows the fields when a suggestion is picked", async () => {
  const { user } = open();
  expect(hasFolded()).toBe(true);
  await user.click(screen.getByRole("button", { name: "Enter address manually" }));
  expect([hasFolded(), screen.queryByLabelText("Find address")]).toEqual([false, null]);
  fill({ City: "Perth" });
  await user.click(screen.getByRole("button", { name: "Use the address search" }));
  expect([hasFolded(), field("City").value]).toEqual([true, "Perth"]);
  await search(user, "bris");
  await user.click(await screen.findByRole("option", { name: "Brisbane City QLD 4000" }));
  expect([hasFolded(), field("City").value]).toEqual([false, "Brisbane City"]);
});

test("unfolds the manual fields for stored values, values of the browser, the keyboard and other countries", async () => {
  const { unmount } = open({}, { city: "Perth" });
  expect(hasFolded()).toBe(false);
  unmount();
  const ways = [
    () => fill({ "Post Code": "4000" }),
    () => act(() => field("Unit number").focus()),
    () => fill({ Country: "New Zealand" }),
  ];
  for (const take of ways) {
    const view = open();
    expect(hasFolded()).toBe(true);
    take();
    await waitFor(() => expect(hasFolded()).toBe(false));
    view.unmount();
  }
});

test("explains what to type", async () => {
  const suburbs = /We suggest the suburb and post code, only in Australia, and keep the street as you type it\./;
  const searches: [AddressSource["findsStreets"], RegExp][] = [
    [async () => false, suburbs],
    [async () => true, /^Type your address and choose a suggestion\.$/],
    [() => Promise.reject(new Error("away")), suburbs],
  ];
  for (const [findsStreets, hint] of searches) {
    const { user, unmount } = open({ findsStreets });
    await user.click(box());
    const hintId = box().getAttribute("aria-describedby") ?? "";
    await waitFor(() => expect(document.getElementById(hintId)?.textContent).toMatch(hint));
    unmount();
  }
});

test("says that suggestions are only for Australia, and follows the country with the fields", async () => {
  const { user } = open();
  const choose = (country: string) => user.selectOptions(screen.getByLabelText("Country"), country);
  fill({ State: "QLD", "Post Code": "4000" });
  await choose("United Kingdom");
  const hint = document.getElementById(box().getAttribute("aria-describedby") ?? "");
  expect(hint?.textContent).toBe("We have suggestions only for Australia. Please fill in the fields below.");
  // The state of another country goes, the post code stays to be corrected.
  expect([field("County").value, field("Postcode").value]).toEqual(["", "4000"]);
  await choose("Hong Kong");
  expect(screen.queryByLabelText(/Post/)).toBeNull();
  await choose("Singapore");
  expect([screen.queryByLabelText("State"), field("Postal Code").value]).toEqual([null, ""]);
});

test("keeps the typed street with the picked suburb", async () => {
  const typed = { ...brisbane, parts: { ...brisbane.parts, streetNumber: "120", streetName: "Eagle Street" } };
  const { user } = open({ suggest: async () => [typed] });
  await search(user, "120 Eagle Street Brisbane");
  await user.click(await screen.findByRole("option", { name: "Brisbane City QLD 4000" }));
  expect(["Street number", "Street name", "City"].map((name) => field(name).value)).toEqual([
    "120",
    "Eagle Street",
    "Brisbane City",
  ]);
  expect(screen.getByRole("status").textContent).toBe(
    "Filled in 120 Eagle Street, Brisbane City QLD 4000. Please check the fields below.",
  );
});

test("says what was filled in for a country without states and post codes", async () => {
  const parts = { ...emptyAddress, streetNumber: "8", streetName: "Rua Central", city: "Macao", country: "Macao" };
  const suggestion = { id: "macao", label: "8 Rua Central", parts };
  const { user } = open({ suggest: async () => [suggestion] }, { country: "Macao" });
  await search(user, "rua");
  await user.click(await screen.findByRole("option", { name: suggestion.label }));
  expect(screen.getByRole("status").textContent).toBe("Filled in 8 Rua Central, Macao. Please check the fields below.");
});

const getOptions = (label: string) =>
  Array.from(screen.getByLabelText<HTMLSelectElement>(label).options, (option) => option.value);

test("labels the fields and lists Australia first, then each other country once in alphabetical order", () => {
  open();
  for (const label of ["Unit number", "Street number", "Street name", "City", "State", "Post Code", "Country"])
    expect(screen.getByLabelText(label, { exact: true })).toBeTruthy();
  const [first, ...others] = getOptions("Country");
  expect(first).toBe("Australia");
  expect(others).toEqual([...others].sort((a, b) => a.localeCompare(b, "en")));
  expect(new Set(countries).size).toBe(countries.length);
  for (const country of Object.keys(statesByCountry)) expect(countries).toContain(country);
});

test("shows the states of a country and validates the post code again when the country changes", async () => {
  const { user } = open();
  const choose = (country: string) => user.selectOptions(screen.getByLabelText("Country"), country);
  expect(getOptions("State")).toEqual(["", "ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"]);
  fill({ "Post Code": "90210" });
  submit();
  expect(await screen.findByText("Invalid Australian post code.")).toBeTruthy();
  await choose("United States");
  await waitFor(() => expect(screen.queryByText("Invalid Australian post code.")).toBeNull());
  expect(getOptions("State")).toHaveLength(57);
  await choose("New Zealand");
  expect(screen.getByLabelText("State").tagName).toBe("INPUT");
  fill({ State: "Otago" });
  await choose("Australia");
  await waitFor(() => expect(field("State").value).toBe(""));
});

test("doesn't take Western Australia for Washington when the country changes, but keeps a stored Washington", async () => {
  const { user, unmount } = open();
  fill({ State: "WA" });
  await user.selectOptions(screen.getByLabelText("Country"), "United States");
  await waitFor(() => expect(field("State").value).toBe(""));
  fill({ State: "WA" });
  expect(field("State").value).toBe("WA");
  unmount();
  open({}, { country: "United States", state: "WA" });
  expect(field("State").value).toBe("WA");
});

test("shows the state of an American address whose state a program stored by name", async () => {
  open({}, { country: "United States", state: "California" });
  await waitFor(() => expect(field("State").value).toBe("CA"));
});
