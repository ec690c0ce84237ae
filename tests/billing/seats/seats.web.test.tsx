import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderLoaded, startAs } from "#tests/support/mock-query.tsx";
import AddSeatsDialog from "#web/billing/seats/add-seats-dialog.tsx";
import { SeatPriceList } from "#web/billing/seats/seat-price-list.tsx";

beforeEach(() => startAs("admin", { staffRoles: ["finance"] }));

const price = { __typename: "SeatPrice", id: "p-1", productLevel: "CORPORATE", term: "ONE_YEAR", audCents: 36_500 };
const licence = {
  __typename: "Licence",
  id: "l-1",
  supportCode: "S-7K3QMX9D",
  productLevel: "CORPORATE",
  subscriptionLevel: "Corporate",
  numberOfUsers: 5,
  status: "ACTIVE",
};
const others = [
  { ...licence, id: "l-2", supportCode: "S-00000002", subscriptionLevel: "Professional", productLevel: "PROFESSIONAL" },
  { ...licence, id: "l-3", supportCode: "S-00000003", status: "REVOKED" },
];

function openDialog(answers: Parameters<typeof mockApi>[0], licences: object[] = [licence, ...others]) {
  const onClose = vi.fn();
  const requests = mockApi({
    SeatLicences: { user: { __typename: "User", id: "user-7", licences }, seatPrices: [price] },
    ...answers,
  });
  const view = renderLoaded(
    <AddSeatsDialog opened userId="user-7" licenceId={null} onClose={onClose} onDone={() => {}} />,
  );
  return { ...view, requests, onClose };
}

test("suggests the price of the list, shows what will happen, and adds the seats once with the shown total", async () => {
  const seatsPreview = {
    __typename: "SeatsPreview",
    fromSeats: 5,
    toSeats: 10,
    days: 100,
    termDays: 365,
    lastDay: "2027-03-08",
    termCents: 36_500,
    seatCents: 10_000,
    discountCents: 2_000,
    gstCents: 4_800,
    totalCents: 52_800,
    creditCents: 1_234,
  };
  const keys: string[] = [];
  const { user, requests, onClose } = openDialog({
    SeatsPreview: { seatsPreview },
    AddSeats: ({ input }) => {
      keys.push((input as { key: string }).key);
      if (keys.length === 1) return new MockedError("UNAVAILABLE", "Try again.");
      return { addSeats: { __typename: "ManualInvoice", id: "m-1", number: "100141", totalCents: 52_800 } };
    },
  });
  const licences = await screen.findByLabelText("Licence");
  const dialog = within(screen.getByRole("dialog", { name: "Add seats" }));
  expect([...licences.querySelectorAll("option")].map(({ textContent }) => textContent)).toEqual([
    "Corporate S-7K3QMX9D, 5 seats",
  ]);
  fill({ "Seats to add": "5", "PO number": "PO-9" });
  expect(dialog.getByText("5 → 10 seats")).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>("Price of a seat").value).toBe("A$365.00");
  const effects = await dialog.findByRole("list", { name: "Effects" });
  // Screen readers announce them when they change.
  expect(effects.closest("[aria-live=polite]")).toBeTruthy();
  const list = within(effects);
  expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Corporate licence S-7K3QMX9D: 5 → 10 seats, now. It still ends on 8 Mar 2027.",
    "100 of 365 days are left. A$365.00 for 1 year is A$100.00 for each new seat.",
    "The customer's goodwill credit reduces the price by A$20.00, without GST.",
    "An invoice of A$528.00, including A$48.00 GST, is issued and emailed to the customer.",
    "The customer's credit of A$12.34 is used.",
  ]);
  const button = await dialog.findByRole("button", { name: "Add seats for A$528.00" });
  await waitFor(() => expect(button.hasAttribute("disabled")).toBe(false));
  await user.click(button);
  expect((await dialog.findByRole("alert")).textContent).toContain("Try again.");
  await user.click(button);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(await screen.findByText("5 → 10 seats. Invoice 100141 has been emailed.")).toBeTruthy();
  expect(new Set(keys).size).toBe(1);
  const input = { licenceId: "l-1", seats: 5, term: "ONE_YEAR", termCents: 36_500 };
  expect(requests.findLast(({ operation }) => operation === "SeatsPreview")?.variables).toEqual({ input });
  const expected = { ...input, expectedTotalCents: 52_800, expectedSeats: 5, purchaseOrder: "PO-9" };
  expect(requests.at(-1)?.variables.input).toMatchObject(expected);
});

test("asks for a price that the list doesn't have, and says so if there is no corporate licence", async () => {
  const { unmount } = openDialog({ SeatsPreview: new MockedError("INTERNAL", "") });
  await screen.findByLabelText("Licence");
  const dialog = within(screen.getByRole("dialog", { name: "Add seats" }));
  fireEvent.change(dialog.getByLabelText("Term"), { target: { value: "TWO_YEARS" } });
  expect(dialog.getByText("Without GST. Not in the price list.")).toBeTruthy();
  expect(dialog.getByRole("alert").textContent).toBe("Enter the number of seats and the price.");
  unmount();
  openDialog({}, others);
  expect(await screen.findByText(/This customer has no corporate licence/)).toBeTruthy();
});

test("sends a price above the limit as an integer that the API can refuse", async () => {
  const { requests } = openDialog({ SeatsPreview: new MockedError("BAD_USER_INPUT", "Too high.") });
  await screen.findByLabelText("Licence");
  fill({ "Price of a seat": "99,999,999.99" });
  const findSent = () => requests.findLast(({ operation }) => operation === "SeatsPreview")?.variables.input;
  await waitFor(() => expect(findSent()).toMatchObject({ termCents: 100_000_001 }));
});

test("lists the prices of seats by level and term, and sets one below a dollar, but not in US dollars", async () => {
  const requests = mockApi({
    SeatPrices: { seatPrices: [price] },
    SetSeatPrice: { setSeatPrice: { ...price, audCents: 50 } },
  });
  const { user } = renderLoaded(<SeatPriceList canEdit />);
  const table = within(await screen.findByRole("table", { name: "Prices of seats" }));
  const rows = table.getAllByRole("row").map(({ textContent }) => textContent);
  expect([rows[0], rows[1]]).toEqual(["Level1 year2 years3 years", "CorporateA$365.00Set priceSet price"]);
  expect(rows).toHaveLength(5);
  await user.click(table.getByRole("button", { name: "Price for Corporate, 1 year: A$365.00" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Price of a seat: Corporate, 1 year" }));
  const field = await dialog.findByLabelText("Price, without GST");
  fireEvent.change(field, { target: { value: "US$400.00" } });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText("Must be an amount such as A$50.00.")).toBeTruthy();
  fireEvent.change(field, { target: { value: "0.50" } });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The price has been saved.")).toBeTruthy();
  const saved = requests.filter(({ operation }) => operation === "SetSeatPrice");
  expect(saved.map(({ variables }) => variables)).toEqual([
    { input: { productLevel: "CORPORATE", term: "ONE_YEAR", audCents: 50 } },
  ]);
});
