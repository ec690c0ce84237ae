import { open } from "node:fs/promises";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { isDatabaseAway } from "#api/platform/errors.ts";

const nowhere = "/nowhere/.s.PGSQL.5432";
const missingSocket = () =>
  new Promise<Error>((resolve) => {
    connect(nowhere).once("error", resolve);
  });

test("a database whose socket is not there is away; a file that is not there says nothing of it", async () => {
  expect(isDatabaseAway(await missingSocket())).toBe(true);
  expect(isDatabaseAway(new Error("query failed", { cause: await missingSocket() }))).toBe(true);
  expect(isDatabaseAway(await open(nowhere).catch((error: unknown) => error))).toBe(false);
});
