import { keepReasons, MAX_EXPORTED_ROWS, type PersonalData } from "#api/platform/database/personal-data.ts";
import { ReceivedPayment } from "./received-payment.entity.ts";

export const receivedPaymentData: PersonalData = {
  tables: {
    card_payments: {
      kept: {
        [keepReasons.books]: "user_id provider_payment_id",
        "ID of a card that is removed at the payment provider.": "payment_method_id",
      },
      impersonal: "id key invoice_id amount_cents state message created_at finished_at",
    },
    received_payments: {
      kept: {
        [keepReasons.books]: "user_id reference provider_payment_id",
        [keepReasons.staffLog]: "recorded_by_id",
      },
      impersonal:
        "id key invoice_id tax_invoice_id method amount_cents applied_cents credit_cents received_at recorded_at",
    },
  },
  kept: [
    {
      title: "Payments received",
      table: "received_payments",
      where: "user_id = $1",
      reason: "They are part of our accounts.",
    },
  ],
  exported: {
    async paymentsReceived({ em }, user) {
      const payments = await em.find(
        ReceivedPayment,
        { user: user.id },
        { orderBy: { receivedAt: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return payments.map(({ method, amountCents, receivedAt, reference }) => ({
        method,
        amountCents,
        receivedAt,
        reference,
      }));
    },
  },
};
