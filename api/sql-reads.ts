import { commentSqlReads } from "./features/comments/comment.sql.ts";
import { contactSqlReads } from "./features/contacts/contact.sql.ts";
import { deviceSqlReads } from "./features/devices/device.sql.ts";
import { taxInvoiceSqlReads } from "./features/invoices/tax-invoice.sql.ts";
import { licenceEventSqlReads } from "./features/licences/licence-event.sql.ts";
import { licenceSqlReads } from "./features/licences/licence.sql.ts";
import { userSqlReads } from "./features/accounts/user.sql.ts";
import type { SqlReads } from "./platform/sql-reads/reading.ts";

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
