import type Stripe from "stripe";

/** Product with its prices in AUD cents and the 10% GST rate at a provider. */
export type ProviderCatalogue = Awaited<ReturnType<typeof createCatalogue>>;

/** Creates a product with a monthly (99.95), a yearly (949.00) and a cheaper monthly price (49.95), and GST. */
export async function createCatalogue(stripe: Stripe) {
  const product = await stripe.products.create({ name: "Professional" });
  const createPrice = (unit_amount: number, interval: "month" | "year") =>
    stripe.prices.create({ product: product.id, currency: "aud", unit_amount, recurring: { interval } });
  return {
    product,
    monthly: await createPrice(9_995, "month"),
    yearly: await createPrice(94_900, "year"),
    cheaper: await createPrice(4_995, "month"),
    gst: await stripe.taxRates.create({ display_name: "GST", percentage: 10, inclusive: false, country: "AU" }),
  };
}

/** Creates a customer with a default card. */
export async function createProviderCustomer(
  stripe: Stripe,
  card = "pm_card_visa",
  more: Stripe.CustomerCreateParams = {},
): Promise<{ customer: Stripe.Customer; card: Stripe.PaymentMethod }> {
  const customer = await stripe.customers.create({ email: "jo@example.com", name: "Jo", ...more });
  const attached = await stripe.paymentMethods.attach(card, { customer: customer.id });
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: attached.id } });
  return { customer, card: attached };
}
