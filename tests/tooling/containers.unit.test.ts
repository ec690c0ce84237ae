import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

interface Checks {
  findFaults: (dockerfile: string, given: { nodeVersion: string; exists: (path: string) => boolean }) => string[];
  findExposure: (file: string) => string | null;
}

const repository = join(import.meta.dirname, "../..");
const { findFaults, findExposure } = (await import(join(repository, "scripts/check-containers.mjs"))) as Checks;

const dockerfile = readFileSync(join(repository, "Dockerfile"), "utf8");
const given = { nodeVersion: readFileSync(join(repository, ".node-version"), "utf8").trim(), exists: () => true };

test("accepts the product's Dockerfile", () => {
  expect(findFaults(dockerfile, given)).toEqual([]);
});

test.each([
  ["another version of Node", /node:\S+ AS build/, "node:24-slim AS build", "the image must be Node 24."],
  ["a stage that does not exist", /--from=build/, "--from=builder", "no earlier stage builder"],
  ["a last stage of another system", /FROM debian:12-slim/, "FROM ubuntu:24.04", "the image must be Node"],
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

test("the image is published for both processors, each with its own Node and native packages", () => {
  const read = (file: string) => readFileSync(join(repository, file), "utf8");
  expect(read(".github/workflows/image.yml")).toMatch(/^ +platforms: linux\/amd64,linux\/arm64$/m);
  const stages = read("Dockerfile").split(/^(?=FROM )/m);
  expect(stages.filter((stage) => stage.startsWith("FROM --platform=$BUILDPLATFORM"))).toEqual([
    expect.stringMatching(/ AS build\n[\s\S]*^ARG TARGETARCH\nRUN .* --cpu "\$TARGETARCH"$/m),
  ]);
  expect(stages.at(-1)).toContain("COPY --from=node /usr/local/bin/node ");
});

test.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)(
  "systemd rates the unit's exposure, which is too high without its restrictions",
  () => {
    expect(findExposure("deploy/portal@.service")).toBe(null);
    const folder = createTemporaryFolder("unit-");
    const open = readFileSync("deploy/portal@.service", "utf8").replaceAll(
      /^(Protect|Private|Restrict|System|Capability|NoNew).*\n/gm,
      "",
    );
    writeFileSync(join(folder, "portal@.service"), open);
    expect(findExposure(join(folder, "portal@.service"))).toMatch(/^its exposure is [3-9]\.\d, of at most 2\./);
  },
);
