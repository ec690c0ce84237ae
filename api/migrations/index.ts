import { Migration0163 } from "./0163-journal-entries.ts";
import { Migration0178 } from "./0178-event-archives.ts";
import { Migration0179 } from "./0179-indexes-of-paid-entries.ts";
import type { ListedMigration } from "#api/platform/database/define-migration.ts";
import { migrations0001To0011 } from "./released/0001-to-0011.ts";
import { migrations0013To0026 } from "./released/0013-to-0026.ts";
import { migrations0027To0070 } from "./released/0027-to-0070.ts";
import { migrations0072To0088 } from "./released/0072-to-0088.ts";
import { migrations0091To0125 } from "./released/0091-to-0125.ts";
import { migrations0135To0159 } from "./released/0135-to-0159.ts";

/** All migrations in order. They are listed by hand, because the bundle has to include them. */
export const migrations: ListedMigration[] = [
  ...migrations0001To0011,
  ...migrations0013To0026,
  ...migrations0027To0070,
  ...migrations0072To0088,
  ...migrations0091To0125,
  ...migrations0135To0159,
  Migration0163,
  Migration0178,
  Migration0179,
];
