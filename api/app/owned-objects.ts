import type { OwnedObjects } from "#api/platform/database/separate-roles.ts";

/**
 * Evidence and accounts: tables of which the application's role may only read and add rows, and the functions that erase,
 * purge and protect them (decision 0205).
 */
export const ownedObjects: OwnedObjects = {
  tables: ["audit_entries", "security_events", "audit_links", "journal_entries"],
  functions: [
    "queue_unsealed_entry",
    "refuse_change",
    "protect_audit_entry",
    "protect_security_event",
    "is_erased_user",
    "seal_earlier_entry",
    "erase_audit_subject",
    "erase_audit_actor",
    "erase_security_events",
    "purge_security_events",
    "journal_entries_journal_entries_stay_as_recorded_fn",
  ],
};
