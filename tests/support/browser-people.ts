import type { Page } from "@playwright/test";
import { toCode } from "#schema/closed-list.ts";
import { staffRoles, type StaffRole } from "#schema/staff-roles.ts";
import {
  type Account,
  createNewPerson,
  demoAccount,
  expect,
  findEmailedLink,
  requestToken,
  newPersonPassword,
  sendGraphqlAs,
} from "./browser.ts";

/** The demo admin, who is an owner. */
export const demoAdmin = demoAccount("admin");

const address = { streetNumber: "12", streetName: "Eagle Street", city: "Brisbane", state: "QLD", postCode: "4000" };

/** Creates an account as the demo admin does, whose user chooses a password with the emailed link. */
async function createAccount(page: Page, changes: Record<string, unknown>): Promise<Account & { id: string }> {
  const account = { email: `user.${crypto.randomUUID()}@example.com`, password: newPersonPassword };
  const person = { firstName: "Mary", lastName: "Somerville", position: "Planner", mobile: "0400 000 000" };
  const input = { ...person, email: account.email, ...address, country: "Australia", ...changes };
  const query = "mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }";
  const { createUser } = await sendGraphqlAs<{ createUser: { id: string } }>(page, demoAdmin, query, { input });
  // An admin also gets an email about the roles.
  const resetToken = (await findEmailedLink(page, account.email, 2)).split("?t=")[1];
  const data = { resetToken, password: account.password, confirmPassword: account.password };
  expect((await page.request.post("/v1/core/accounts/password/reset", { data })).status()).toBe(200);
  return { ...account, id: createUser.id };
}

/** Creates an admin with a staff role. */
export const createStaff = (page: Page, role: StaffRole) =>
  createAccount(page, { memberType: "ADMIN", staffRoles: [toCode(staffRoles, role)] });

/** Creates a corporate customer. */
export const createCorporateCustomer = (page: Page, companyName = "Southern Rail") =>
  createAccount(page, { memberType: "CORPORATE", companyName });

/** An invoice or adjustment note, as its customer sees it. */
export interface CustomerInvoice {
  readonly id: string;
  readonly number: string;
  readonly kind: string;
  readonly totalCents: number;
}

interface Found {
  readonly search: { readonly hits: readonly { readonly userId: string }[] };
}

/** Returns the id of the user with that email address. */
export async function findUserId(page: Page, email: string): Promise<string> {
  const query = "query ($text: String!) { search(text: $text) { hits { userId } } }";
  return (await sendGraphqlAs<Found>(page, demoAdmin, query, { text: email })).search.hits[0]?.userId ?? "";
}

/** Creates a confirmed customer and returns a function that sends REST calls for them. */
export async function createCustomer(page: Page) {
  const account = { email: await createNewPerson(page), password: newPersonPassword };
  const token = await requestToken(page, account);
  const post = async (path: string, data: object = {}) => {
    const answer = await page.request.post(path, { headers: { authorization: `Bearer ${token}` }, data });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer;
  };
  return {
    ...account,
    /** Returns the latest invoice or adjustment note. */
    readInvoice: async (): Promise<CustomerInvoice> => {
      const query = "{ taxInvoices { id number kind totalCents } }";
      const { taxInvoices } = await sendGraphqlAs<{ taxInvoices: CustomerInvoice[] }>(page, account, query);
      const [latest] = taxInvoices;
      if (!latest) throw new Error("The customer has no invoice.");
      return latest;
    },
    /** Starts the trial and returns its licence code. */
    startTrial: async (): Promise<string> => (await post("/v1/subscriptions/create-trial")).json(),
    /** Subscribes with a card of the payment simulator, by default one that always succeeds. */
    subscribe: async (cardNumber = "4242424242424242", productId = "xer-professional-monthly"): Promise<void> => {
      const card = { cardNumber, expiryDate: "12/39", cvc: "123" };
      await post("/v1/subscriptions/create-subscription", { productId, ...card });
    },
  };
}

/** Adds a concurrent licence of 5 users and 10 machines to a customer. */
export async function addConcurrentLicence(page: Page, userId: string): Promise<void> {
  const types = { licenceType: "CONCURRENT", licenceCategory: "NONE", licenceActivationType: "CONCURRENT" };
  const limits = { numberOfUsers: 5, numberOfMachines: 10, expiryDate: "2031-06-30" };
  const input = { productLevel: "CORPORATE_DARK_CONCURRENT", ...types, ...limits };
  const query =
    "mutation ($userId: ID!, $input: AddLicenceInput!) { addLicence(userId: $userId, input: $input) { id } }";
  await sendGraphqlAs(page, demoAdmin, query, { userId, input });
}
