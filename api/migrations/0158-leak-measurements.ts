import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds what the requests of a licence say about whether strangers use its code. */
export const Migration0158 = defineMigration([
  `create table "leak_measurements" ("licence_id" uuid not null, "networks" int not null, "machines" int not null, "permitted_machines" int not null, "hours" int not null, "clones" int not null, "measured_at" timestamptz not null, "listed_at" timestamptz null, "counted_from" timestamptz null, "asked_at" timestamptz null, "reissued_at" timestamptz null, primary key ("licence_id"))`,
  `alter table "leak_measurements" add constraint "leak_measurements_licence_id_foreign" foreign key ("licence_id") references "licences" ("id") on update cascade on delete cascade`,
  `create index leak_measurements_listed on leak_measurements (listed_at desc, licence_id) where listed_at is not null`,
]);
