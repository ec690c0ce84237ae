import { randomInt } from "node:crypto";
import type Stripe from "stripe";

/** The provider's API version that the simulator implements, which `stripe` 23.1.0 requests. */
export const API_VERSION = "2026-10-28.endive";

/** A field that may contain related objects, with their ids instead. */
type Related<Value> = [Value] extends [readonly (infer Item)[]]
  ? Related<Item>[]
  : string extends Value
    ? Exclude<Value, { object: string }>
    : Value;

/**
 * An object of the provider as the simulator stores it, by its type in the `stripe` package. `Own` replaces and adds fields,
 * such as the internal state in `sim`, which responses never include. Only the fields that the product, a test or the
 * simulator reads are stored. Amounts are integer cents; times are seconds since 1970 (UTC).
 */
type Stored<Full, Own = unknown> = {
  [Name in Exclude<keyof Full, keyof Own | "deleted">]: Related<Full[Name]>;
} & Own;

type Partly<Value> = Value extends string
  ? Value
  : Value extends readonly (infer Item)[]
    ? Partly<Item>[]
    : Value extends object
      ? { [Name in keyof Value]?: Partly<Value[Name]> }
      : Value;

/** Fields of a new object. A field that the provider doesn't have is a type error. */
export type Fields<Full> = { [Name in Exclude<keyof Full, "sim">]?: Partly<Full[Name]> } & (Full extends {
  sim: infer State;
}
  ? { sim: State }
  : unknown);

/** A page of a list. */
export interface Page<Item> {
  object: "list";
  url: string;
  has_more: boolean;
  data: Item[];
}

export interface Period {
  start: number;
  end: number;
}

export interface PaymentError {
  type: "card_error";
  code: string;
  decline_code?: string;
  message: string;
}

interface NextAction {
  type: "use_stripe_sdk";
}

/** Behaviour of a test card when it is attached or charged. */
export type CardBehaviour =
  | { does: "pays" | "pays once" | "declines when charged" | "disputes" }
  | { does: "requires authentication once" | "requires authentication always" }
  | { does: "declines"; error: PaymentError };

export type Customer = Stored<Stripe.Customer, { invoice_settings: { default_payment_method: string | null } }>;
export type PaymentMethod = Stored<
  Stripe.PaymentMethod,
  {
    card: Pick<Stripe.PaymentMethod.Card, "brand" | "last4" | "exp_month" | "exp_year">;
    /** `paid`: number of successful charges. `setUp`: true once the bank has authenticated the customer. */
    sim: { behaviour: CardBehaviour; paid: number; setUp: boolean };
  }
>;
export type SetupIntent = Stored<
  Stripe.SetupIntent,
  { client_secret: string; last_setup_error: PaymentError | null; next_action: NextAction | null }
>;
export type PaymentIntent = Stored<
  Stripe.PaymentIntent,
  {
    client_secret: string;
    last_payment_error: PaymentError | null;
    next_action: NextAction | null;
    sim: { invoice: string | null };
  }
>;
export type Charge = Stored<Stripe.Charge, { outcome: { reason: string | null }; sim: { disputeAt: number | null } }>;
export type Dispute = Stored<Stripe.Dispute>;
export type Price = Stored<Stripe.Price, { recurring: Pick<Stripe.Price.Recurring, "interval">; unit_amount: number }>;
export type TaxRate = Stored<Stripe.TaxRate>;
export type Coupon = Stored<Stripe.Coupon>;

/** An invoice line before discounts and taxes. `price` is its id. */
export interface LineSeed {
  amount: number;
  price: string;
  period: Period;
}

/** Amount billed for a period, after discounts and before tax. A credit for unused time is a share of this amount. */
export interface BilledPeriod extends Period {
  amount: number;
}

/** A price change that is applied to a subscription. */
export interface PriceChange extends Period {
  price: string;
  anchor: number;
  billed: BilledPeriod;
}

export type SubscriptionItem = Stored<Stripe.SubscriptionItem, { price: Price }>;
export type Subscription = Stored<
  Stripe.Subscription,
  {
    default_tax_rates: TaxRate[];
    items: Page<SubscriptionItem>;
    pause_collection: { behavior: "void"; resumes_at: number } | null;
    sim: { billed: BilledPeriod };
  }
>;

export type SchedulePhase = Pick<Stripe.SubscriptionSchedule.Phase, "start_date" | "end_date" | "trial_end"> & {
  default_tax_rates: TaxRate[];
  items: { price: string }[];
  metadata: Record<string, string>;
};
export type SubscriptionSchedule = Stored<Stripe.SubscriptionSchedule, { phases: SchedulePhase[] }>;

export type InvoiceLine = Pick<Stripe.InvoiceLineItem, "id" | "object" | "amount" | "period"> & {
  pricing: { price_details: { price: string } };
};
export type Invoice = Stored<
  Stripe.Invoice,
  {
    ending_balance: number;
    lines: Page<InvoiceLine>;
    parent: { subscription_details: { subscription: string } };
    status_transitions: { paid_at: number | null };
    sim: { intent: string | null; payment: string | null };
  }
>;
export type InvoicePayment = Stored<
  Stripe.InvoicePayment,
  { payment: { type: "payment_intent"; payment_intent: string } }
>;
export type Event = Stored<
  Omit<Stripe.EventBase, "type" | "data">,
  { type: string; data: { object: Record<string, unknown> } }
>;

/** Types of stored objects by the value of their `object` field. */
export interface ObjectTypes {
  customer: Customer;
  payment_method: PaymentMethod;
  setup_intent: SetupIntent;
  payment_intent: PaymentIntent;
  charge: Charge;
  refund: Stored<Stripe.Refund>;
  dispute: Dispute;
  product: Stored<Stripe.Product>;
  price: Price;
  tax_rate: TaxRate;
  coupon: Coupon;
  subscription: Subscription;
  subscription_schedule: SubscriptionSchedule;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  event: Event;
}

export type ObjectName = keyof ObjectTypes;
export type AnyObject = ObjectTypes[ObjectName];

/** The provider's prefixes of ids. */
export const prefixes = {
  customer: "cus",
  payment_method: "pm",
  setup_intent: "seti",
  payment_intent: "pi",
  charge: "ch",
  refund: "re",
  dispute: "dp",
  product: "prod",
  price: "price",
  tax_rate: "txr",
  coupon: "cpn",
  subscription: "sub",
  subscription_schedule: "sub_sched",
  invoice: "in",
  invoice_payment: "inpay",
  event: "evt",
} as const satisfies Record<ObjectName, string>;

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Creates an id with the provider's prefix for an object type, such as `cus`. */
export function createId(prefix: string): string {
  return `${prefix}_${Array.from({ length: 24 }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join("")}`;
}
