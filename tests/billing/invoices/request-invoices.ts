import { randomUUID } from "node:crypto";
import { toCode } from "#schema/closed-list.ts";
import {
  type ManualInvoiceValues,
  type ReceivedPaymentValues,
  recordedPaymentMethods,
} from "#schema/manual-invoice.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { buildInvoice, buildPayment } from "#tests/factories/manual-invoice.ts";
import type { TestApp } from "#tests/support/test-app.ts";

export const invoiceFields = `{ id status number revision gstCents totalCents creditCents paidCents balanceCents dueAt purchaseOrder
  taxInvoiceId voidNoteNumber licenceId payments { amountCents appliedCents creditCents method reference } }`;

/** Returns a payment as GraphQL sends it, with the code of its method. */
export const toPaymentInput = (payment: ReceivedPaymentValues) => ({
  ...payment,
  method: toCode(recordedPaymentMethods, payment.method),
});

/** Changes of an invoice as GraphQL sends them, with the code of the product level. */
type InvoiceChanges = Partial<Omit<ManualInvoiceValues, "licence">> & { licence?: object };

/** Returns functions that send the requests of the billing desk as the user of `staffToken`. */
export function createInvoiceRequests(app: TestApp, staffToken: string) {
  async function send(document: string, variables: Record<string, unknown>, token = staffToken) {
    const { data, errors } = await app.graphql(document, variables, token);
    if (errors) throw Object.assign(new Error(errors[0]?.message), errors[0]?.extensions);
    return Object.values(data as object)[0];
  }

  const create = (user: User, changes: InvoiceChanges = {}, key: string = randomUUID()) =>
    send(
      `mutation ($userId: ID!, $input: ManualInvoiceInput!, $key: String!) {
       createInvoice(userId: $userId, input: $input, key: $key) ${invoiceFields} }`,
      { userId: user.id, input: buildInvoice(changes), key },
    );
  const issue = ({ id, revision }: { id: string; revision: number }) =>
    send(`mutation ($id: ID!, $revision: Int!) { issueInvoice(id: $id, revision: $revision) ${invoiceFields} }`, {
      id,
      revision,
    });
  const open = async (user: User, changes: InvoiceChanges = {}) => issue(await create(user, changes));
  const pay = (
    invoice: { id: string; balanceCents: number },
    changes: Partial<ReceivedPaymentValues> = {},
    key: string = randomUUID(),
  ) =>
    send(
      `mutation ($id: ID!, $input: ReceivedPaymentInput!, $expected: Int!, $key: String!) {
       recordPayment(invoiceId: $id, input: $input, expectedBalanceCents: $expected, key: $key) {
         id appliedCents creditCents invoice ${invoiceFields} } }`,
      { id: invoice.id, input: toPaymentInput(buildPayment(app, changes)), expected: invoice.balanceCents, key },
    );
  const cancel = ({ id }: { id: string }, reason = "Wrong customer") =>
    send(`mutation ($id: ID!, $reason: String!) { voidInvoice(id: $id, reason: $reason) ${invoiceFields} }`, {
      id,
      reason,
    });
  const addCredit = (user: User, amountCents: number, key: string = randomUUID(), isPaid = true) =>
    send(
      `mutation ($userId: ID!, $input: CreditInput!, $key: String!) {
       addCredit(userId: $userId, input: $input, key: $key) { id amountCents } }`,
      { userId: user.id, input: { amountCents, reason: "Sorry for the outage", isPaid }, key },
    );
  const readCredit = async (user: User) =>
    (await send("query ($userId: ID!) { customerCredit(userId: $userId) { balanceCents } }", { userId: user.id }))
      .balanceCents;

  return { send, create, issue, open, pay, cancel, addCredit, readCredit };
}
