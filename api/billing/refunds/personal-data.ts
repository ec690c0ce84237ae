import { createBatchStatement, keepReasons, type PersonalData } from "#api/platform/database/personal-data.ts";

export const refundData: PersonalData = {
  tables: {
    refunds: {
      erased: { "refund-reasons": "reason" },
      kept: { [keepReasons.books]: "user_id tax_invoice_id adjustment_note_id provider_refund_id requested_by_id" },
      impersonal: "id key amount_cents gst_cents licence is_to_card status failure created_at finished_at",
    },
  },
  erasure: [
    {
      name: "refund-reasons",
      title: "Reasons that staff gave for refunds",
      effect: "anonymized",
      table: "refunds",
      run: createBatchStatement(
        `update refunds set reason = 'Erased' where id in (
           select id from refunds where user_id = :user and reason <> 'Erased' limit :limit)`,
      ),
    },
  ],
};
