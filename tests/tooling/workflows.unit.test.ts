import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const { readLocks } = (await import(join(import.meta.dirname, "../../scripts/check-packages.mjs"))) as {
  readLocks: () => Record<string, object>;
};
const workflows = globSync(".github/workflows/*.yml").map((file) => [file, readFileSync(file, "utf8")] as const);

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >;
}

test.each(workflows)("%s pins every action by its hash and names its version", (_file, text) => {
  const uses = [...text.matchAll(/uses: (.*)$/gm)].map(([, action = ""]) => action);
  for (const action of uses) expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  // The token may only read the repository unless the workflow says otherwise.
  expect((parse(text) as Workflow).permissions?.["contents"]).toMatch(/^(read|write)$/);
});

test("a release publishes what npm run package writes, with a signature of its checksums", () => {
  const steps = listCommands("release");
  expect(steps).toMatch(
    /npm run package\n+cosign sign-blob --yes --bundle (release\/SHA256SUMS)\.sigstore\.json \1\ngh release create .* release\/\*$/m,
  );
});

test("a published image is signed by its digest", () => {
  expect(listCommands("image")).toMatch(/^cosign sign --yes "ghcr\.io\/.*@\$DIGEST"$/m);
});

/** Returns the commands of a workflow's only job, one for each step. */
function listCommands(name: string, job = name): string {
  const { jobs } = parse(readFileSync(`.github/workflows/${name}.yml`, "utf8")) as Workflow;
  return (jobs[job]?.steps ?? []).map(({ run = "" }) => run).join("\n");
}

test("the nightly run is root on Debian 12, whose packages its tests install", () => {
  const { jobs } = parse(readFileSync(".github/workflows/nightly.yml", "utf8")) as {
    jobs: Record<string, { container?: { image: string } }>;
  };
  expect(jobs["test-all"]?.container?.image).toMatch(/^node:\d+-bookworm$/);
  expect(listCommands("nightly", "test-all")).toContain("npm run test:all");
});

test("a bot proposes updates of packages, actions and images", () => {
  const { updates } = parse(readFileSync(".github/dependabot.yml", "utf8")) as {
    updates: { "package-ecosystem": string; directory?: string; directories?: string[] }[];
  };
  expect(updates.map((one) => one["package-ecosystem"]).toSorted()).toEqual([
    "docker",
    "docker-compose",
    "github-actions",
    "npm",
  ]);
  const directories = updates.find((one) => one["package-ecosystem"] === "npm")?.directories ?? [];
  const isCovered = (folder: string) => directories.some((one) => posix.matchesGlob(posix.join("/", folder), one));
  expect(Object.keys(readLocks()).filter((folder) => !isCovered(folder))).toEqual([]);
});
