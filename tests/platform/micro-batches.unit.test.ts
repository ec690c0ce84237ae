import { describe, expect, test } from "vitest";
import { createMicroBatches } from "#api/platform/database/statement-batches.ts";

function createControlledBatches(
  options: { maxRunning?: number; maxItems?: number; isCausedByItem?: (error: unknown) => boolean } = {},
) {
  const runs: { items: readonly string[]; end: (error?: Error) => void }[] = [];
  const add = createMicroBatches<string, string>({
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({
          items,
          end: (error) => (error ? reject(error) : resolve(items.map((item) => item.toUpperCase()))),
        });
      }),
    getKey: (item) => item[0] ?? "",
    maxRunning: 1,
    maxItems: 10,
    isCausedByItem: () => false,
    ...options,
  });
  return { add, runs };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("micro-batches", () => {
  test("combine items from the same turn of the event loop, and return each item's own result", async () => {
    const { add, runs } = createControlledBatches();
    const all = Promise.all(["a", "b", "c"].map(add));
    await turn();
    expect(runs.map(({ items }) => items)).toEqual([["a", "b", "c"]]);
    runs[0]?.end();
    expect(await all).toEqual(["A", "B", "C"]);
  });

  test("run items with the same key one after another", async () => {
    const { add, runs } = createControlledBatches({ maxRunning: 2 });
    const all = Promise.all(["a1", "a2", "b1"].map(add));
    await turn();
    expect(runs[0]?.items).toEqual(["a1", "b1"]);
    runs[0]?.end();
    await turn();
    await turn();
    expect(runs[1]?.items).toEqual(["a2"]);
    runs[1]?.end();
    expect(await all).toEqual(["A1", "A2", "B1"]);
  });

  test("respect the maximum number of running batches and of items in a batch", async () => {
    const { add, runs } = createControlledBatches({ maxRunning: 2, maxItems: 2 });
    const all = Promise.all(["a", "b", "c", "d", "e"].map(add));
    await turn();
    expect(runs.map(({ items }) => items)).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    runs[1]?.end();
    await turn();
    await turn();
    expect(runs[2]?.items).toEqual(["e"]);
    runs[0]?.end();
    runs[2]?.end();
    expect(await all).toEqual(["A", "B", "C", "D", "E"]);
  });

  test("reject all items of a failed batch and continue with the next one", async () => {
    const { add, runs } = createControlledBatches();
    const failing = [add("a"), add("b")];
    const settled = Promise.allSettled(failing);
    await turn();
    runs[0]?.end(new Error("gone"));
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = add("c");
    await turn();
    runs[1]?.end();
    expect(await next).toBe("C");
  });

  test("retry items individually if one of them caused the failure, and reject only that one", async () => {
    const add = createMicroBatches<string, string>({
      run: async (items) => {
        if (items.includes("bad")) throw new Error("bad");
        return items;
      },
      getKey: (item) => item,
      maxRunning: 1,
      maxItems: 10,
      isCausedByItem: () => true,
    });
    const settled = await Promise.allSettled(["good", "bad", "fine"].map(add));
    expect(settled.map((one) => (one.status === "fulfilled" ? one.value : "failed"))).toEqual([
      "good",
      "failed",
      "fine",
    ]);
  });
});
