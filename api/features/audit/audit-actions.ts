/** Everything an admin does that is written to the audit log, and the words for it. */
export const auditActions = {
  "create-user": "Created the user",
  "update-user": "Updated the user",
  "archive-user": "Archived the user",
  "restore-user": "Restored the user",
  "reset-deactivations": "Reset the deactivation counter",
  "clear-two-step": "Turned two-step sign-in off",
  "view-as-customer": "Viewed the portal as the customer",
  "end-view": "Stopped viewing as the customer",
  "end-sessions": "Signed the user out everywhere",
  "add-contact": "Added a contact",
  "update-contact": "Updated a contact",
  "delete-contact": "Deleted a contact",
  "add-licence": "Added a licence",
  "update-licence": "Updated a licence",
  "deactivate-licence": "Deactivated a licence",
  "deactivate-device": "Deactivated a device",
  "free-seat": "Freed a seat",
  "add-comment": "Added a comment",
  "add-promo-code": "Added a promo code",
  "update-promo-code": "Updated a promo code",
  "delete-promo-code": "Deleted a promo code",
  "set-minimum-version": "Set the minimum version",
  "publish-software": "Published a build",
  "roll-back-software": "Rolled a build back",
  "withdraw-software": "Withdrew a build",
  "delete-software-draft": "Deleted a build that was never published",
  "start-bulk-run": "Started a bulk run",
  "cancel-bulk-run": "Cancelled a bulk run",
} as const;

/** Name of an audited action. */
export type AuditAction = keyof typeof auditActions;
