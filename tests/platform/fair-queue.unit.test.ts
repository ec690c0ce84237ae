import { expect, test } from "vitest";
import { createFairQueue } from "#api/platform/limits/fair-queue.ts";

function startQueue(limits: { running: number; waiting: number }) {
  const queue = createFairQueue(limits, () => new Error("full"));
  const started: string[] = [];
  const finish: (() => void)[] = [];
  const outcomes: Promise<string>[] = [];
  return {
    started,
    add: (caller: string, count = 1) => {
      for (let n = 0; n < count; n++) {
        const work = () => {
          started.push(caller);
          return new Promise<void>((done) => finish.push(done));
        };
        outcomes.push(
          queue(caller, work).then(
            () => `${caller} done`,
            (error: Error) => `${caller} ${error.message}`,
          ),
        );
      }
    },
    finishNext: async () => {
      finish.shift()?.();
      await new Promise((done) => setImmediate(done));
    },
    listOutcomes: () => Promise.all(outcomes),
  };
}

async function finishAll(queue: ReturnType<typeof startQueue>, count: number) {
  for (let n = 0; n < count; n++) await queue.finishNext();
  return queue.listOutcomes();
}

const countSame = (all: readonly string[], one: string) => all.filter((other) => other === one).length;

test("takes callers in rotation, so a long line doesn't delay the others", async () => {
  const queue = startQueue({ running: 1, waiting: 10 });
  queue.add("busy", 5);
  queue.add("ada");
  queue.add("bob", 2);
  await finishAll(queue, 8);
  expect(queue.started).toEqual(["busy", "busy", "ada", "bob", "busy", "bob", "busy", "busy"]);
});

test("gives a newcomer the newest place of the caller with the longest line", async () => {
  const queue = startQueue({ running: 1, waiting: 4 });
  queue.add("busy", 5);
  queue.add("ada");
  queue.add("bob");
  expect((await finishAll(queue, 5)).toSorted().join()).toBe(
    "ada done,bob done,busy done,busy done,busy done,busy full,busy full",
  );
});

test("lets ten callers in while one caller sends 80", async () => {
  const queue = startQueue({ running: 4, waiting: 50 });
  queue.add("junk", 40);
  for (let n = 0; n < 10; n++) queue.add(`owner ${n}`, 2);
  queue.add("junk", 40);
  const outcomes = await finishAll(queue, 54);
  for (let n = 0; n < 10; n++) expect(countSame(outcomes, `owner ${n} done`)).toBe(2);
  expect(countSame(outcomes, "junk done")).toBe(34);
  expect(countSame(outcomes, "junk full")).toBe(46);
});

test("rejects a newcomer if every caller has one place", async () => {
  const queue = startQueue({ running: 1, waiting: 3 });
  for (const caller of ["a", "b", "c", "d", "e"]) queue.add(caller);
  expect(await finishAll(queue, 4)).toEqual(["a done", "b done", "c done", "d done", "e full"]);
});

test("runs work again after some of it failed", async () => {
  const queue = createFairQueue({ running: 1, waiting: 1 }, () => new Error("full"));
  await expect(queue("ada", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await queue("ada", async () => "done")).toBe("done");
});
