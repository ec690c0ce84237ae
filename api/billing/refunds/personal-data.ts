import { keepReasons, type PersonalData } from "#api/platform/personal-data.ts";

export const refundData: PersonalData = {
  tables: {
    refunds: {
      kept: {
        [keepReasons.books]: "user_id tax_invoice_id adjustment_note_id provider_refund_id reason requested_by_id",
      },
      impersonal: "id key amount_cents gst_cents licence is_to_card status failure created_at finished_at",
    },
  },
};
