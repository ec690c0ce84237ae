import { expect, test } from "vitest";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createInvoiceRequests } from "./request-invoices.ts";

const app = await startTestApp();
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const { send, create } = createInvoiceRequests(app, finance);

test("orders the customers by what the list shows: the company, or the name without one", async () => {
  const lastName = "Ordered";
  await create(await createCorporateUser(app, { firstName: "Ada", lastName, companyName: "Zenith" }));
  await create(await createUser(app, { firstName: "Mia", lastName, companyName: "" }));
  await create(await createCorporateUser(app, { firstName: "Zoë", lastName, companyName: "Acme" }));
  const order = { by: "CUSTOMER", descending: false };
  const { rows } = await send("invoices { rows { companyName } }", { filter: { customer: lastName }, order });
  expect(rows).toEqual(["Acme", "", "Zenith"].map((companyName) => ({ companyName })));
});
