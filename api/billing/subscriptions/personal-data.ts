import { createBatchStatement, keepReasons, type PersonalData } from "#api/platform/database/personal-data.ts";

export const subscriptionActionData: PersonalData = {
  tables: {
    subscription_actions: {
      erased: { "action-reasons": "reason" },
      kept: { [keepReasons.books]: "subscription_id requested_by_id" },
      impersonal: "id key kind days pause_until status message created_at finished_at",
    },
  },
  erasure: [
    {
      name: "action-reasons",
      title: "Reasons that staff gave for changes to subscriptions",
      effect: "anonymized",
      table: "subscription_actions",
      run: createBatchStatement(
        `update subscription_actions set reason = null where id in (
           select a.id from subscription_actions a join subscriptions s on s.id = a.subscription_id
            where s.user_id = :user and a.reason is not null limit :limit)`,
      ),
    },
  ],
};
