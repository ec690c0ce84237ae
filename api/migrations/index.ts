import type { Migration } from "@mikro-orm/migrations";
import { Migration0001 } from "./0001-foundation.ts";
import { Migration0003 } from "./0003-email-change.ts";
import { Migration0004 } from "./0004-contact-messages.ts";
import { Migration0005 } from "./0005-leaving-and-devices.ts";
import { Migration0006 } from "./0006-two-step-sign-in.ts";
import { Migration0007 } from "./0007-money.ts";
import { Migration0008 } from "./0008-payments.ts";
import { Migration0009 } from "./0009-leases-and-usage.ts";
import { Migration0010 } from "./0010-software.ts";
import { Migration0011 } from "./0011-sign-in-activation.ts";
import { Migration0013 } from "./0013-licence-history.ts";
import { Migration0014 } from "./0014-audit-log.ts";
import { Migration0015 } from "./0015-list-of-users.ts";
import { Migration0018 } from "./0018-comments.ts";
import { Migration0020 } from "./0020-finding.ts";
import { Migration0021 } from "./0021-views-as-customers.ts";
import { Migration0022 } from "./0022-bulk-work.ts";
import { Migration0023 } from "./0023-foreign-keys.ts";
import { Migration0024 } from "./0024-files-of-builds.ts";
import { Migration0025 } from "./0025-reports.ts";
import { Migration0026 } from "./0026-saved-reports.ts";
import { Migration0027 } from "./0027-dashboard.ts";
import { Migration0028 } from "./0028-revisions.ts";
import { Migration0029 } from "./0029-personal-access-tokens.ts";
import { Migration0030 } from "./0030-webhooks.ts";
import { Migration0034 } from "./0034-sandbox-codes.ts";
import { Migration0035 } from "./0035-webhook-attempts.ts";
import { Migration0040 } from "./0040-detached-event-months.ts";
import { Migration0045 } from "./0045-erasures.ts";
import { Migration0046 } from "./0046-hashed-trial-emails.ts";
import { Migration0055 } from "./0055-pending-cancellations.ts";
import { Migration0056 } from "./0056-revenue-of-subscriptions.ts";
import { Migration0057 } from "./0057-version-sources.ts";
import { Migration0058 } from "./0058-listed-users.ts";
import { Migration0062 } from "./0062-seller-days.ts";
import { Migration0072 } from "./0072-email-changes.ts";
import { Migration0077 } from "./0077-security-events.ts";
import { Migration0080 } from "./0080-update-manifests.ts";

/** All migrations in order. They are listed by hand, because the bundle has to include them. */
export const migrations: {
  name: string;
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
}[] = [
  { name: "0001-foundation", class: Migration0001 },
  { name: "0003-email-change", class: Migration0003 },
  { name: "0004-contact-messages", class: Migration0004 },
  { name: "0005-leaving-and-devices", class: Migration0005 },
  { name: "0006-two-step-sign-in", class: Migration0006 },
  { name: "0007-money", class: Migration0007 },
  { name: "0008-payments", class: Migration0008 },
  { name: "0009-leases-and-usage", class: Migration0009 },
  { name: "0010-software", class: Migration0010 },
  { name: "0011-sign-in-activation", class: Migration0011 },
  { name: "0013-licence-history", class: Migration0013 },
  { name: "0014-audit-log", class: Migration0014 },
  { name: "0015-list-of-users", class: Migration0015 },
  { name: "0018-comments", class: Migration0018 },
  { name: "0020-finding", class: Migration0020 },
  { name: "0021-views-as-customers", class: Migration0021 },
  { name: "0022-bulk-work", class: Migration0022 },
  { name: "0023-foreign-keys", class: Migration0023 },
  { name: "0024-files-of-builds", class: Migration0024 },
  { name: "0025-reports", class: Migration0025 },
  { name: "0026-saved-reports", class: Migration0026 },
  { name: "0027-dashboard", class: Migration0027 },
  { name: "0028-revisions", class: Migration0028 },
  { name: "0029-personal-access-tokens", class: Migration0029 },
  { name: "0030-webhooks", class: Migration0030 },
  { name: "0034-sandbox-codes", class: Migration0034 },
  { name: "0035-webhook-attempts", class: Migration0035 },
  { name: "0040-detached-event-months", class: Migration0040 },
  { name: "0045-erasures", class: Migration0045 },
  { name: "0046-hashed-trial-emails", class: Migration0046 },
  { name: "0055-pending-cancellations", class: Migration0055 },
  { name: "0056-revenue-of-subscriptions", class: Migration0056 },
  { name: "0057-version-sources", class: Migration0057 },
  { name: "0058-listed-users", class: Migration0058 },
  { name: "0062-seller-days", class: Migration0062 },
  { name: "0072-email-changes", class: Migration0072 },
  { name: "0077-security-events", class: Migration0077 },
  { name: "0080-update-manifests", class: Migration0080 },
];
