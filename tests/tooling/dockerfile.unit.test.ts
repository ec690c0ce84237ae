import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type FindFaults = (dockerfile: string, given: { nodeVersion: string; exists: (path: string) => boolean }) => string[];

const repository = join(import.meta.dirname, "../..");
const script = join(repository, "scripts/check-containers.mjs");
const { findFaults } = (await import(script)) as { findFaults: FindFaults };

const dockerfile = readFileSync(join(repository, "Dockerfile"), "utf8");
const nodeVersion = readFileSync(join(repository, ".node-version"), "utf8").trim();
const given = { nodeVersion, exists: () => true };

test("accepts the product's Dockerfile", () => {
  expect(findFaults(dockerfile, given)).toEqual([]);
});

test.each([
  ["another version of Node", /FROM node:\S+ AS build/, "FROM node:24-slim AS build", "the image must be Node 24."],
  ["a stage that does not exist", /--from=build/, "--from=builder", "no earlier stage builder"],
  ["root", /USER node/, "USER root", "USER other than root"],
  [
    "a server started by a shell",
    /CMD \["node", "--enable.*$/m,
    "CMD node dist/server/server.js",
    "must be a JSON list",
  ],
  ["no health check", /HEALTHCHECK.*\n/, "", "must have a HEALTHCHECK"],
  ["a misspelt instruction", /EXPOSE/, "EXPOS", "EXPOS is an instruction this file should not need"],
])("reports %s", (_fault, from, to, message) => {
  const broken = dockerfile.replace(from, to);
  expect(broken).not.toBe(dockerfile);
  expect(findFaults(broken, given).join("\n")).toContain(message);
});

test("reports a copied file that doesn't exist", () => {
  expect(findFaults(dockerfile, { ...given, exists: (path) => path !== ".npmrc" }).join("\n")).toContain(
    "there is no .npmrc",
  );
});
