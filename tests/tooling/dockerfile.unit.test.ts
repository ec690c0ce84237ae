import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type FaultsOf = (dockerfile: string, given: { nodeMajor: string; exists: (path: string) => boolean }) => string[];

const repository = join(import.meta.dirname, "../..");
const script = join(repository, "scripts/check-containers.mjs");
const { faultsOf } = (await import(script)) as { faultsOf: FaultsOf };

const dockerfile = readFileSync(join(repository, "Dockerfile"), "utf8");
const given = { nodeMajor: "24", exists: () => true };

test("the product's Dockerfile is without fault", () => {
  expect(faultsOf(dockerfile, given)).toEqual([]);
});

test.each([
  [
    "another Node than the product's",
    /FROM node:24-slim AS build/,
    "FROM node:20-slim AS build",
    "the image must be Node 24",
  ],
  ["a stage that does not exist", /--from=build/, "--from=builder", "no earlier stage builder"],
  ["root", /USER node/, "USER root", "USER other than root"],
  ["a server under a shell", /CMD \["node", "--enable.*$/m, "CMD node dist/server/server.js", "must be a JSON list"],
  ["no health check", /HEALTHCHECK.*\n/, "", "must have a HEALTHCHECK"],
  ["an instruction misspelt", /EXPOSE/, "EXPOS", "EXPOS is no instruction"],
])("a Dockerfile with %s is reported", (_what, from, to, says) => {
  const broken = dockerfile.replace(from, to);
  expect(broken).not.toBe(dockerfile);
  expect(faultsOf(broken, given).join("\n")).toContain(says);
});

test("a file that is copied must be there", () => {
  expect(faultsOf(dockerfile, { ...given, exists: (path) => path !== ".npmrc" }).join("\n")).toContain(
    "there is no .npmrc",
  );
});
