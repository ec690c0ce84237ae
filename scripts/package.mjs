/**
 * Packs the built product (`npm run package`): a tarball that runs on Node 24 without a build or a registry, its checksum, the
 * lists of what is in it (SBOM), and `release.json` for UPDATES_URL, all in `release/` or the folder of `--to`. With `--folder DIR`, only writes
 * the product into a folder, which the Dockerfile uses: for this machine's processor, or the one that `--cpu` names as Docker or Node does.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { root } from "./runtime.mjs";

/** Processors for which the tarball has native parts. */
const processors = ["x64", "arm64"];

/** Files that operators and the developers of their add-ins need besides the product itself. */
const papers = ["clients", "deploy", "docs", "CHANGELOG.md", "brand.example.json", ".env.example"];

/** Parts of packages that the server never opens. Invoices use only two weights of each typeface. */
const unused = [
  "@embedpdf/*/fonts/!(*-Regular.*|*-Bold.*)",
  "@fontsource/*/files/!(*-400-normal.woff|*-700-normal.woff)",
  "@fontsource*/*/{scss,*.css}",
  "@expo-google-fonts/hanken-grotesk/!(400Regular|600SemiBold|700Bold|package.json)",
  "**/*.{map,md,d.ts,d.mts,d.cts}",
  "pdfkit/js/pdfkit.{standalone,es5,esnext}.js",
];

const npm = (args, options = {}) => execFileSync("npm", args, { cwd: root, encoding: "utf8", ...options });

/** Writes the built product with its packages into an empty folder. */
function stage(folder, cpus) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { name, version, type, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ name, version, type, engines }, null, 2)}\n`);
  // What a server compiles is stored beside its code.
  cpSync(join(root, "dist"), join(folder, "dist"), {
    recursive: true,
    filter: (path) => !["compiled", ".stamp"].includes(basename(path)),
  });
  for (const cpu of cpus) installPackages(join(folder, "node_modules"), cpu);
  return version;
}

/** Adds the packages of deploy/image to a folder of packages. Only native parts differ between processors. */
function installPackages(folder, cpu) {
  const place = join(root, ".cache", `packages-${cpu}`);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(root, "deploy/image", file), join(place, file));
  npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--os", "linux", "--cpu", cpu], {
    cwd: place,
    stdio: "pipe",
  });
  const packages = join(place, "node_modules");
  for (const pattern of unused)
    for (const path of globSync(pattern, { cwd: packages }))
      rmSync(join(packages, path), { recursive: true, force: true });
  const hidden = new Set([".bin", ".package-lock.json"]);
  cpSync(packages, folder, { recursive: true, filter: (path) => !hidden.has(basename(path)) });
  rmSync(place, { recursive: true });
}

function describeFile(file) {
  const content = readFileSync(file);
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { name: basename(file), sizeBytes: statSync(file).size, sha256 };
}

/** Writes everything that a release publishes into `folder`. */
function pack(folder) {
  rmSync(folder, { recursive: true, force: true });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const name = `portal-${version}`;
  stage(join(folder, name), processors);
  // The chart's link to the alert rules stays relative. Otherwise it would lead to a folder of this machine.
  for (const paper of papers)
    cpSync(join(root, paper), join(folder, name, paper), { recursive: true, verbatimSymlinks: true });
  const tarball = join(folder, `${name}.tar.gz`);
  const time = execFileSync("git", ["log", "-1", "--format=%cI"], { cwd: root, encoding: "utf8" }).trim();
  const options = [
    "--sort=name",
    `--mtime=${time}`,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    // Other users than the one that unpacks the files can read them, whatever the umask is here.
    "--mode=u+rw,go+rX,go-w",
  ];
  execFileSync("tar", [...options, "--use-compress-program=gzip -9n", "-cf", tarball, "-C", folder, name]);
  rmSync(join(folder, name), { recursive: true });
  // The packages of the tarball's node_modules, and those in its bundles.
  const sbom = ["sbom", "--package-lock-only", "--omit", "dev", "--sbom-format", "cyclonedx"];
  writeFileSync(join(folder, "sbom-image.cdx.json"), npm([...sbom, "--prefix", "deploy/image"]));
  writeFileSync(join(folder, "sbom-build.cdx.json"), npm([...sbom, "--legacy-peer-deps"]));
  const files = globSync("*", { cwd: folder })
    .toSorted()
    .map((file) => describeFile(join(folder, file)));
  const notes = process.env.RELEASE_NOTES_URL;
  const release = { version, ...(notes ? { notes } : {}), files };
  writeFileSync(join(folder, "release.json"), `${JSON.stringify(release, null, 2)}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), files.map(({ name: file, sha256 }) => `${sha256}  ${file}\n`).join(""));
  return files;
}

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    cpu: { type: "string", default: process.arch },
    to: { type: "string", default: "release" },
  },
});
await build();
if (values.folder) stage(resolve(values.folder), [values.cpu === "amd64" ? "x64" : values.cpu]);
else
  for (const { name, sizeBytes } of pack(resolve(values.to)))
    process.stdout.write(`${values.to}/${name}  ${(sizeBytes / 1_000_000).toFixed(1)} MB\n`);
