import { createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";

export const refundData: PersonalData = {
  tables: {
    refunds: { erasedBy: "refund-reasons" },
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
