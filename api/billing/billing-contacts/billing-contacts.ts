import type { BillingContactValues } from "#schema/billing-details.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { lockCustomer, assertCanBeInvoiced } from "#api/billing/invoices/lock-invoice.ts";
import {
  type ComposedEmail,
  composeEmail,
  type EmailContext,
  type OutgoingEmail,
  sendEmails,
} from "#api/messaging/emails/send-email.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { pick } from "#api/platform/pick.ts";
import { BillingContact } from "./billing-contact.entity.ts";

/** Returns a customer's billing contact; one without values if there is none. */
export async function getBillingContact(em: EntityManager, userId: string): Promise<BillingContact> {
  return (await em.findOne(BillingContact, { user: userId })) ?? new BillingContact();
}

/**
 * Changes a customer's billing contact (docs/domain.md#billing-contact). Omitted values are cleared.
 * @throws AppError NOT_FOUND; CONFLICT for an admin and for an archived or deleted account.
 */
export async function updateBillingContact(
  context: Context,
  userId: string,
  values: BillingContactValues,
): Promise<BillingContact> {
  return inTransaction(context, async (em) => {
    const user = await lockCustomer(em, userId);
    assertCanBeInvoiced(user);
    const found = await em.findOne(BillingContact, { user: userId }, { refresh: true });
    const contact = found ?? em.create(BillingContact, { user });
    const toAudited = (of: BillingContact) => pick(of, "name", "email", "secondEmail", "purchaseOrder");
    const before = toAudited(contact);
    const { name, email, secondEmail, purchaseOrder } = values;
    Object.assign(contact, {
      name: name ?? "",
      email: email ?? "",
      secondEmail: secondEmail ?? "",
      purchaseOrder: purchaseOrder ?? "",
    });
    await recordChange(context, em, {
      action: "update-billing-contact",
      ...aboutUser(user),
      before,
      after: toAudited(contact),
    });
    return contact;
  });
}

/**
 * Sends an email as {@link composeBillingEmails} renders it, in the transaction of `em`. Sends nothing to a deleted account.
 * @returns whether an email was created; false if they were created before
 */
export async function sendBillingEmails<Data extends { firstName: string }>(
  context: Context,
  em: EntityManager,
  user: User,
  ...email: [Omit<OutgoingEmail<Data>, "to">, forContacts?: Partial<Data>]
): Promise<boolean> {
  if (user.deletedAt) return false;
  return (await sendEmails(context, em, await composeBillingEmails(context, em, user, ...email))) > 0;
}

/**
 * Renders an email about a customer's money for the customer, the billing contact and the second recipient, each once per
 * address. The others don't get what `forContacts` replaces, such as a licence code.
 */
export async function composeBillingEmails<Data extends { firstName: string }>(
  context: EmailContext,
  em: EntityManager,
  user: User,
  email: Omit<OutgoingEmail<Data>, "to">,
  forContacts: Partial<Data> = {},
): Promise<ComposedEmail[]> {
  const contact = await getBillingContact(em, user.id);
  const others = [
    { to: contact.email, firstName: contact.name || user.firstName, key: "billing" },
    { to: contact.secondEmail, firstName: user.firstName, key: "second" },
  ];
  const seen = new Set(["", user.email.toLowerCase()]);
  const copies = others.filter(({ to }) => {
    const isNew = !seen.has(to.toLowerCase());
    seen.add(to.toLowerCase());
    return isNew;
  });
  const timeZone = user.timeZone ?? undefined;
  return Promise.all([
    composeEmail(context, em, { ...email, to: user.email, timeZone, canSignIn: !user.archivedAt }),
    ...copies.map(({ to, firstName, key }) =>
      composeEmail(context, em, {
        ...email,
        to,
        timeZone,
        canSignIn: false,
        data: { ...email.data, ...forContacts, firstName },
        ...(email.dedupeKey ? { dedupeKey: `${email.dedupeKey}:${key}` } : {}),
      }),
    ),
  ]);
}
