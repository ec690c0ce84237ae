import { Readable } from "node:stream";
import { expect, test, vi } from "vitest";
import { runAtEnd } from "#api/staff/reports/stream-report.ts";

test("ends a file after the work", async () => {
  const work = vi.fn(async () => {});
  expect(await runAtEnd(Readable.from(["a", "b"]), work).toArray()).toEqual([Buffer.from("a"), Buffer.from("b")]);
  expect(work).toHaveBeenCalledOnce();
});

test.for(["the reader leaves", "the content fails"])("doesn't do the work if %s", async (reason) => {
  const work = vi.fn(async () => {});
  const content = new Readable({ read() {} });
  const file = runAtEnd(content, work);
  content.push("a");
  await new Promise((resolve) => file.once("data", resolve));
  if (reason === "the reader leaves") file.destroy();
  else content.destroy(new Error("failed"));
  await expect.poll(() => content.destroyed && file.destroyed).toBe(true);
  expect(work).not.toHaveBeenCalled();
});

test("fails the file if the work fails", async () => {
  const file = runAtEnd(Readable.from(["a"]), () => Promise.reject(new Error("failed")));
  await expect(file.toArray()).rejects.toThrow("failed");
});
