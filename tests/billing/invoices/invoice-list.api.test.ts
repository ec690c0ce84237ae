import { expect, test } from "vitest";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createInvoiceRequests } from "./request-invoices.ts";

const app = await startTestApp();
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const { send, create, open } = createInvoiceRequests(app, finance);

test("finds one invoice of a customer by its ID", async () => {
  const user = await createCorporateUser(app);
  const [older, draft] = [await open(user), await create(user)];
  const list = async (id: string, userId = user.id) =>
    (await send("invoices { rows { id } total }", { filter: { userId, id } })).rows;
  expect(await list(older.taxInvoiceId)).toEqual([{ id: older.taxInvoiceId }]);
  expect(await list(draft.id)).toEqual([{ id: draft.id }]);
  expect([await list(draft.id, (await createCorporateUser(app)).id), await list("nonsense")]).toEqual([[], []]);
});

test("finds invoices by the beginnings of words in the number, customer and description, and by quoted words", async () => {
  const user = await createCorporateUser(app, { companyName: "Quokka Rail" });
  const { number, taxInvoiceId } = await open(user);
  const find = async (filter: object) => (await send("invoices { rows { id } }", { filter })).rows;
  for (const search of [number, `${number} quok`, "concurrent quokka", '"Quokka Rail" dark', "$quokka,"])
    expect(await find({ search }), search).toEqual([{ id: taxInvoiceId }]);
  expect(await find({ customer: '"quokka"' })).toEqual([{ id: taxInvoiceId }]);
  for (const filter of [{ search: '"quokk"' }, { customer: '"quokk"' }, { search: "uokka" }])
    expect(await find(filter)).toEqual([]);
});

test("shows and finds the buyer of the document, such as the company that an invoice was re-issued to", async () => {
  const { number, taxInvoiceId } = await open(await createCorporateUser(app, { companyName: "Old Rail" }));
  const address = { streetNumber: "1", streetName: "Pier Road", city: "Sydney", state: "NSW", postCode: "2000" };
  const buyer = { companyName: "Kurrajong Holdings", country: "Australia", ...address };
  const { number: second } = await send("reissueInvoice { number }", { taxInvoiceId, reason: "Other company", buyer });
  const find = async (search: string) =>
    (await send("invoices { rows { number companyName } }", { filter: { search }, order: { by: "NUMBER" } })).rows;
  const [first, replacement] = [
    { number, companyName: "Old Rail" },
    { number: second, companyName: "Kurrajong Holdings" },
  ];
  expect([await find("Kurrajong"), await find(number)]).toEqual([[replacement], expect.arrayContaining([first])]);
});

test("orders the customers by what the list shows: the company, or the name without one", async () => {
  const lastName = "Ordered";
  await create(await createCorporateUser(app, { firstName: "Ada", lastName, companyName: "Zenith" }));
  await create(await createUser(app, { firstName: "Mia", lastName, companyName: "" }));
  await create(await createCorporateUser(app, { firstName: "Zoë", lastName, companyName: "Acme" }));
  const order = { by: "CUSTOMER", descending: false };
  const { rows } = await send("invoices { rows { companyName } }", { filter: { customer: lastName }, order });
  expect(rows).toEqual(["Acme", "", "Zenith"].map((companyName) => ({ companyName })));
});
