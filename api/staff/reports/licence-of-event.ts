import { licenceColumns } from "./licences-report.ts";
import { ownerColumns } from "./shared-columns.ts";
import { lookedUp } from "./report.ts";

/** On which licence an event `e` was, and whose it is; nothing where the code was nobody's. */
export const licenceOfEvent = lookedUp(
  [...licenceColumns, ...ownerColumns],
  "licences l join users u on u.id = l.user_id where l.id = e.licence_id",
);
