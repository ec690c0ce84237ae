import { MAX_EXPORTED_ROWS, type PersonalData } from "#api/platform/database/personal-data.ts";
import { ReceivedPayment } from "./received-payment.entity.ts";

export const receivedPaymentData: PersonalData = {
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
