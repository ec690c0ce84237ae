import { createId, generateRandomString } from "./identifiers.ts";
import type { Customer } from "./provider-objects.ts";
import { addressShape, emptyToNull, group, metadata, range, text, integer } from "./parameters.ts";
import { attachPaymentMethod, getAttachedPaymentMethod, resolvePaymentMethod } from "./payment-methods.ts";
import { defineListRoute, mergeMetadata, defineRoute } from "./routes.ts";
import { endSubscription } from "./subscription-state.ts";

const details = {
  email: text,
  name: text,
  description: text,
  phone: text,
  address: addressShape,
  balance: integer,
  invoice_settings: group({ default_payment_method: text }),
  metadata,
};

export const customerRoutes = [
  defineRoute(
    "POST",
    "/v1/customers",
    { ...details, test_clock: text, payment_method: text },
    async (tx, { params }) => {
      const { test_clock: clock, payment_method: card, invoice_settings: settings, metadata: given, ...rest } = params;
      const created = clock
        ? (await tx.get("test_helpers.test_clock", clock, "test_clock")).frozen_time
        : await tx.now();
      const fields = emptyToNull(rest) as Partial<Customer>;
      const customer = tx.save<Customer>({
        id: createId("cus"),
        object: "customer",
        created,
        livemode: false,
        email: null,
        name: null,
        description: null,
        phone: null,
        address: null,
        balance: 0,
        currency: null,
        delinquent: false,
        invoice_prefix: generateRandomString(8, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
        next_invoice_sequence: 1,
        invoice_settings: { default_payment_method: null },
        test_clock: clock ?? null,
        metadata: given ?? {},
        ...fields,
      });
      if (card) await attachPaymentMethod(tx, await resolvePaymentMethod(tx, card, "payment_method"), customer.id);
      const preferred = settings?.default_payment_method;
      if (preferred)
        await getAttachedPaymentMethod(tx, preferred, customer.id, "invoice_settings[default_payment_method]");
      customer.invoice_settings.default_payment_method = preferred ?? null;
      await tx.emit("customer.created", customer);
      return customer;
    },
  ),
  defineRoute("GET", "/v1/customers/:id", {}, async (tx, { id }) => {
    const found = await tx.find(id);
    if (found?.object === "customer" && found.deleted) return { id, object: "customer", deleted: true };
    return tx.get("customer", id);
  }),
  defineRoute("POST", "/v1/customers/:id", details, async (tx, { id, params }) => {
    const customer = await tx.get("customer", id);
    const { invoice_settings: settings, metadata: given, ...rest } = params;
    const fields = emptyToNull(rest);
    Object.assign(customer, fields, { metadata: mergeMetadata(customer.metadata, given) });
    const preferred = settings?.default_payment_method;
    if (preferred) await getAttachedPaymentMethod(tx, preferred, id, "invoice_settings[default_payment_method]");
    if (preferred !== undefined) customer.invoice_settings.default_payment_method = preferred || null;
    await tx.emit("customer.updated", tx.save(customer));
    return customer;
  }),
  defineRoute("DELETE", "/v1/customers/:id", {}, async (tx, { id }) => {
    const customer = await tx.get("customer", id);
    for (const subscription of await tx.findAll("subscription", { customer: id }))
      if (subscription.status !== "canceled" && subscription.status !== "incomplete_expired")
        await endSubscription(tx, subscription, "cancellation_requested");
    await tx.emit("customer.deleted", customer);
    customer.deleted = true;
    tx.save(customer);
    return { id, object: "customer", deleted: true };
  }),
  defineListRoute("/v1/customers", "customer", { email: text, test_clock: text, created: range }),
];
