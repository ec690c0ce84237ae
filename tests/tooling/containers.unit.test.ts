import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const { findExposure } = (await import(join(import.meta.dirname, "../../scripts/check-containers.mjs"))) as {
  findExposure: (file: string) => string | null;
};

const read = (file: string) => readFileSync(file, "utf8");
const stages = read("Dockerfile").split(/^(?=FROM )/m);

test("the image has the pinned Node, and starts the server without a shell, as node and with a health check", () => {
  const node = `node:${read(".node-version").trim()}-slim`;
  const images = stages.slice(1).map((stage) => /^FROM (?:--\S+ )?(\S+)/.exec(stage)?.[1]);
  expect(images).toEqual([node, node, expect.stringMatching(/^debian:\d+-slim$/)]);
  for (const line of [/^USER node$/m, /^HEALTHCHECK .* CMD \["node", /m, /^CMD \["node", /m])
    expect(stages.at(-1)).toMatch(line);
});

test("the image is built from files that exist", () => {
  const copied = [...read("Dockerfile").matchAll(/^COPY (?!--)(.+) \S+$/gm)];
  const paths = copied.flatMap(([, sources = ""]) => sources.split(" "));
  expect(paths).toContain("package-lock.json");
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test("the image is published for both processors, each with its own Node and native packages", () => {
  expect(read(".github/workflows/image.yml")).toMatch(/^ +platforms: linux\/amd64,linux\/arm64$/m);
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
    const open = read("deploy/portal@.service").replaceAll(
      /^(Protect|Private|Restrict|System|Capability|NoNew).*\n/gm,
      "",
    );
    writeFileSync(join(folder, "portal@.service"), open);
    expect(findExposure(join(folder, "portal@.service"))).toMatch(/^its exposure is [3-9]\.\d, of at most 2\./);
  },
);
