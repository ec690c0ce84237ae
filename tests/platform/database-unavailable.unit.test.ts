import { open } from "node:fs/promises";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { isDatabaseUnavailable } from "#api/platform/errors.ts";

const nowhere = "/nowhere/.s.PGSQL.5432";
const missingSocket = () =>
  new Promise<Error>((resolve) => {
    connect(nowhere).once("error", resolve);
  });

test("treats a missing socket as an unavailable database, but not a missing file", async () => {
  expect(isDatabaseUnavailable(await missingSocket())).toBe(true);
  expect(isDatabaseUnavailable(new Error("query failed", { cause: await missingSocket() }))).toBe(true);
  expect(isDatabaseUnavailable(await open(nowhere).catch((error: unknown) => error))).toBe(false);
});
