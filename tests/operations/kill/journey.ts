import { randomUUID } from "node:crypto";
import { buildRegistration, testPassword } from "#tests/factories/user.ts";
import type { Client } from "./client.ts";

/** Writes whose acknowledgement customers and staff rely on, in the order of a customer's journey. */
export const flows = ["registration", "subscription", "activation", "refund", "quote", "payment"] as const;
export type Flow = (typeof flows)[number];

/** Start of the SQL statement that each write can't do without. */
export const writeOfFlow: Readonly<Record<Flow, string>> = {
  registration: 'insert into "users"',
  subscription: 'insert into "subscriptions"',
  activation: 'insert into "devices"',
  refund: 'insert into "refunds"',
  quote: 'update "quotes"',
  payment: 'insert into "received_payments"',
};

/** A write that the product acknowledged: the flow, and the id or address by which its row is found. */
export interface Acknowledged {
  readonly flow: Flow;
  readonly email: string;
  readonly key: string;
}

/** A customer, and staff who serve them. */
export interface Journey {
  readonly email: string;
  /** Prepares what the flow needs, such as the subscription that is refunded. */
  prepare(flow: Flow): Promise<void>;
  /** Requests the write until it is acknowledged. A repeated request has the same key. */
  run(flow: Flow): Promise<Acknowledged | null>;
}

const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);

/** @param getStaffToken returns an access token of staff with a recent proof */
export function startJourney(client: Client, getStaffToken: () => Promise<string>): Journey {
  const email = `kill-${randomUUID()}@example.com`;
  const done = new Set<Flow>();
  let token = "";
  let userId = "";
  let quoteToken = "";
  let paidInvoiceId: string | undefined;
  let invoice: { id: string; balanceCents: number } | null = null;
  // A repeated request has the same key, so it returns the first result.
  const keys = Object.fromEntries(flows.map((flow) => [flow, randomUUID()])) as Record<Flow, string>;
  const nonce = `nonce-of-${randomUUID()}`;

  const readMe = <Field>(fields: string): Promise<Field> => client.query(`{ me { ${fields} } }`, {}, token);

  async function confirm(): Promise<void> {
    const confirmationToken = await client.receiveSecret(email, "Confirm your email");
    const body = { confirmationToken, password: testPassword, confirmPassword: testPassword };
    await client.send({ path: "/v1/core/accounts/confirm-email", body });
    token = await client.signIn(email);
    userId = (await readMe<{ id: string }>("id")).id;
  }

  async function sendQuote(): Promise<void> {
    const staff = await getStaffToken();
    const input = {
      lines: [{ description: "Concurrent licence, a year", quantity: 1, unitCents: 100_000 }],
      licence: { productLevel: "CORPORATE_DARK_CONCURRENT", numberOfUsers: 5, numberOfMachines: 10, until: days(900) },
    };
    const draft = await client.query<{ id: string; revision: number }>(
      `mutation ($userId: ID!, $input: ManualInvoiceInput!, $key: String!) {
         createInvoice(userId: $userId, input: $input, key: $key) { id revision } }`,
      { userId, input, key: keys.quote },
      staff,
    );
    await client.query(
      `mutation ($id: ID!, $revision: Int!, $validUntil: Date!) {
         sendQuote(invoiceId: $id, revision: $revision, validUntil: $validUntil) { id } }`,
      { ...draft, validUntil: days(30) },
      staff,
    );
    invoice = { id: draft.id, balanceCents: 110_000 };
    quoteToken = await client.receiveSecret(email, "Quote");
  }

  const requests: Readonly<Record<Flow, () => Promise<boolean>>> = {
    async registration() {
      const { status, isRepeated } = await client.send({
        path: "/v1/core/accounts",
        body: buildRegistration({ email }),
      });
      // A repeated registration is refused if the first one was stored.
      if (status !== 200 && !isRepeated) throw new Error(`registration: ${status}`);
      return status === 200;
    },
    async subscription() {
      const card = { cardNumber: "4242424242424242", expiryDate: "12/39", cvc: "123" };
      const body = { productId: "xer-professional-monthly", idempotencyKey: keys.subscription, ...card };
      const { status, json } = await client.send({ path: "/v1/subscriptions/create-subscription", body, token });
      if (status !== 200) throw new Error(`subscription: ${status} ${JSON.stringify(json)}`);
      return true;
    },
    async activation() {
      const { licences } = await readMe<{ licences: { licenceCode: string }[] }>("licences { licenceCode }");
      const { status, json } = await client.send({
        path: "/v1/licence/activate",
        body: {
          licenceCode: licences[0]?.licenceCode,
          nonce,
          clientTimeUtc: "2026-01-01T00:00:00Z",
          addInVersion: "4.2.0",
          hostVersion: "16.0",
          machine: { machineName: "PLANNING", fingerprint: `fingerprint-of-${email}`, isVm: false },
        },
      });
      if (status !== 200 || !json.data.machine) throw new Error(`activation: ${status} ${JSON.stringify(json)}`);
      return true;
    },
    async refund() {
      paidInvoiceId ??= (await client.query<{ id: string }[]>("{ taxInvoices { id } }", {}, token))[0]?.id;
      const { status } = await client.query<{ status: string }>(
        "mutation ($input: RefundInput!) { refundInvoice(input: $input) { status } }",
        { input: { invoiceId: paidInvoiceId, reason: "Bought twice", licence: "END_NOW", key: keys.refund } },
        await getStaffToken(),
      );
      return status !== "FAILED";
    },
    async quote() {
      const { state } = await client.query<{ state: string }>(
        `mutation ($token: String!, $acceptance: QuoteAcceptanceInput!) {
           acceptQuote(token: $token, acceptance: $acceptance) { state } }`,
        { token: quoteToken, acceptance: { name: "Ada Bell", role: "Finance Manager" } },
      );
      return state === "ACCEPTED";
    },
    async payment() {
      await client.query(
        `mutation ($id: ID!, $input: ReceivedPaymentInput!, $expected: Int!, $key: String!) {
           recordPayment(invoiceId: $id, input: $input, expectedBalanceCents: $expected, key: $key) { id } }`,
        {
          id: invoice?.id,
          input: { method: "BANK_TRANSFER", amountCents: 110_000, receivedDay: days(-1), reference: "ANZ 4471" },
          expected: invoice?.balanceCents,
          key: keys.payment,
        },
        await getStaffToken(),
      );
      return true;
    },
  };

  const journey: Journey = {
    email,
    async prepare(flow) {
      if (flow === "registration") return;
      const before: Flow[] = flow === "subscription" || flow === "quote" ? ["registration"] : [];
      if (flow === "activation" || flow === "refund") before.push("subscription");
      if (flow === "payment") before.push("quote");
      for (const one of before)
        if (!done.has(one)) {
          await journey.prepare(one);
          await journey.run(one);
        }
      if (token === "") await confirm();
      if (flow === "quote") await sendQuote();
    },
    async run(flow) {
      const isAcknowledged = await requests[flow]();
      done.add(flow);
      return isAcknowledged ? { flow, email, key: keys[flow] } : null;
    },
  };
  return journey;
}
