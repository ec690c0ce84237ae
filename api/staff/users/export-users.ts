import { getCalendarDay } from "#schema/days.ts";
import { memberTypes } from "#schema/user.ts";
import { type UserColumn, userColumns, type UserExportValues } from "#schema/user-list.ts";
import type { Context } from "#api/platform/context.ts";
import { toColumnName } from "#api/platform/database/columns.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import {
  createDateColumn,
  createLabelColumn,
  type Report,
  type ReportColumn,
  toParameterSql,
  toYesOrNoSql,
} from "#api/staff/reports/report.ts";
import { type ReportFile, streamReport } from "#api/staff/reports/stream-report.ts";
import { countUsers, toUserListFilter } from "./list-users.ts";
import { buildUserSource, type Statement } from "./list-users-statement.ts";

/** Columns of the export that aren't the user's text of the same name, or have a width. */
const ownColumns: Readonly<Partial<Record<UserColumn, Partial<ReportColumn>>>> = {
  companyName: { width: 28 },
  email: { width: 32 },
  userType: createLabelColumn(userColumns.userType, memberTypes, "u.member_type", 12),
  registrationDate: createDateColumn(userColumns.registrationDate, "u.registered_at"),
  isActive: { sql: toYesOrNoSql("u.archived_at is null"), isTrusted: true },
  emailConfirmed: { sql: toYesOrNoSql("u.email_confirmed_at is not null"), isTrusted: true },
  id: { sql: "u.id::text", isTrusted: true, width: 38 },
};

function createColumn(name: UserColumn): ReportColumn {
  return { title: userColumns[name], kind: "text", sql: `u.${toColumnName(name)}`, ...ownColumns[name] };
}

/**
 * Exports exactly the users of a list, in its order, with the chosen columns. The file is generated while it is
 * downloaded. Records the export in the audit log.
 * @throws AppError RATE_LIMITED, UNAVAILABLE as {@link streamReport} does
 */
export async function exportUsers(context: Context, values: UserExportValues): Promise<ReportFile> {
  const wanted = toUserListFilter(values);
  const { sortBy, descending = sortBy === "DATE_JOINED" } = values;
  const report: Report = {
    fileName: `Users-${getCalendarDay(context.clock.now())}`,
    sheetName: "Users",
    columns: values.columns.map(createColumn),
    from: inlineValues(buildUserSource(wanted, { sortBy, descending })),
  };
  return streamReport(context, report, values.format, async () =>
    recordExport(context, values, await countUsers(context, { wanted, strategy: "planned" }, null)),
  );
}

function recordExport(context: Context, values: UserExportValues, users: number): Promise<void> {
  const { search, userTypes, startDate, endDate, includeArchived, userIds, sortBy } = values;
  return inTransaction(context, (em) =>
    recordChange(context, em, {
      action: "export-users",
      subject: { type: "export", id: context.origin.requestId, name: "Users" },
      userId: null,
      after: {
        users,
        columns: values.columns,
        sortBy,
        userTypes: (userTypes ?? []).map(String),
        startDate: startDate ?? null,
        endDate: endDate ?? null,
        includeArchived,
        // A search can contain a user's name, which the audit log would keep after the user is erased.
        isSearched: Boolean(search),
        isSelected: userIds !== undefined,
      },
    }),
  );
}

/** Returns the text of a statement with its values as escaped literals, because COPY doesn't support parameters. */
function inlineValues({ text, values }: Statement): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => toParameterSql(values[Number(number) - 1]));
}
