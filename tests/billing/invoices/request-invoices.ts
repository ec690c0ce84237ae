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

/** Changes of an invoice as GraphQL sends them, with the code of the product level. */
type InvoiceChanges = Partial<Omit<ManualInvoiceValues, "licence">> & { licence?: object };

/** Returns functions that send the requests of the billing desk as the user of `staffToken`. */
export function createInvoiceRequests(app: TestApp, staffToken: string) {
  const send = (text: string, variables: Record<string, unknown>, token = staffToken) =>
    app.call(text, variables, token);

  const create = (user: User, changes: InvoiceChanges = {}, key: string = randomUUID()) =>
    send(`createInvoice ${invoiceFields}`, { userId: user.id, input: buildInvoice(changes), key });
  const issue = ({ id, revision }: { id: string; revision: number }) =>
    send(`issueInvoice ${invoiceFields}`, { id, revision });
  const open = async (user: User, changes: InvoiceChanges = {}) => issue(await create(user, changes));
  const pay = (
    { id: invoiceId, balanceCents: expectedBalanceCents }: { id: string; balanceCents: number },
    changes: Partial<ReceivedPaymentValues> = {},
    key: string = randomUUID(),
  ) => {
    const payment = buildPayment(app, changes);
    const input = { ...payment, method: toCode(recordedPaymentMethods, payment.method) };
    const call = `recordPayment { id appliedCents creditCents invoice ${invoiceFields} }`;
    return send(call, { invoiceId, input, expectedBalanceCents, key });
  };
  const cancel = ({ id }: { id: string }, reason = "Wrong customer") =>
    send(`voidInvoice ${invoiceFields}`, { id, reason });
  const addCredit = (user: User, amountCents: number, key: string = randomUUID(), isPaid = true) => {
    const input = { amountCents, reason: "Sorry for the outage", isPaid };
    return send("addCredit { id amountCents }", { userId: user.id, input, key });
  };
  const readCredit = async (user: User) =>
    (await send("customerCredit { balanceCents }", { userId: user.id })).balanceCents;

  return { send, create, issue, open, pay, cancel, addCredit, readCredit };
}
