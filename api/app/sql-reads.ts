import { commentSqlReads } from "#api/staff/comments/comment.sql.ts";
import { contactSqlReads } from "#api/staff/contacts/contact.sql.ts";
import { deviceSqlReads } from "#api/licensing/devices/device.sql.ts";
import { taxInvoiceSqlReads } from "#api/selling/invoices/tax-invoice.sql.ts";
import { licenceEventSqlReads } from "#api/licensing/licences/licence-event.sql.ts";
import { licenceSqlReads } from "#api/licensing/licences/licence.sql.ts";
import { userSqlReads } from "#api/staff/users/user.sql.ts";
import type { SqlReads } from "#api/platform/sql-reads/reading.ts";

/**
 * What SQL can read beside plain columns. A field that is missing here is no fault: an operation that asks for it is
 * answered by the resolvers.
 */
export const sqlReadsOfNouns: SqlReads = {
  ...userSqlReads,
  ...commentSqlReads,
  ...contactSqlReads,
  ...licenceSqlReads,
  ...licenceEventSqlReads,
  ...deviceSqlReads,
  ...taxInvoiceSqlReads,
};
