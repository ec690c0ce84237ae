import { ownerColumns } from "./owner.ts";
import { dateColumn, type ReportSource } from "./report.ts";

/** Comments that staff wrote in the range, and on whom. */
export const commentsReport: ReportSource = {
  fileName: "User-Comments",
  sheetName: "User's Comments",
  table: "comments c",
  at: "c.at",
  id: "c.id",
  joins: "join users u on u.id = c.user_id",
  columns: () => [
    dateColumn("Comment Date", "c.at"),
    { title: "Comment", kind: "text", sql: "c.text", width: 60 },
    { title: "Commented By", kind: "text", sql: "c.commented_by", width: 24 },
    ...ownerColumns,
  ],
};
