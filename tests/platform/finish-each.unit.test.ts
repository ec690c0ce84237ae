import { expect, test } from "vitest";
import { AppError } from "#api/platform/errors.ts";
import { finishAll, finishEach } from "#api/platform/jobs/finish-each.ts";
import { recordLog } from "#tests/support/record-log.ts";

const rows = [{ id: "first" }, { id: "second" }, { id: "third" }];
const failWith = (code: string) => Object.assign(new Error("failed"), { code });

test.each([
  ["a fault", new Error("failed")],
  ["a locked row", failWith("55P03")],
  ["a deadlock", failWith("40P01")],
  ["a slow statement", failWith("57014")],
])("finishes the other rows after %s", async (_name, error) => {
  const { log, lines } = recordLog<{ rowId: string }>("error");
  const finish = async ({ id }: { id: string }) => (id === "first" ? Promise.reject(error) : id !== "third");
  expect(await finishEach({ log }, rows, finish)).toBe(1);
  expect(lines.map(({ rowId }) => rowId)).toEqual(["first"]);
});

test.each([
  ["the database", failWith("57P03")],
  ["a service", new AppError("UNAVAILABLE")],
])("leaves the other rows for later if %s is away", async (_name, error) => {
  const tried: string[] = [];
  const finish = async ({ id }: { id: string }) => {
    tried.push(id);
    throw error;
  };
  await expect(finishEach(recordLog("error"), rows, finish)).rejects.toBe(error);
  expect(tried).toEqual(["first"]);
});

test("reaches the rows behind a batch in which none can be finished", async () => {
  const readBatch = async (afterId: string | null) => {
    const first = rows.findIndex(({ id }) => id === afterId) + 1;
    return rows.slice(first, first + 2);
  };
  const tried: string[] = [];
  const finish = async ({ id }: { id: string }) => tried.push(id) === rows.length;
  expect(await finishAll(recordLog("error"), readBatch, finish)).toBe(1);
  expect(tried).toEqual(["first", "second", "third"]);
});
