/** Compiles the package, the conformance driver and the samples with Mono. Warnings count as errors, also missing documentation. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const here = import.meta.dirname;
const packages =
  "mono-mcs mono-runtime libmono-system-core4.0-cil libmono-system-net-http4.0-cil libmono-system-numerics4.0-cil";

const isMissing = () => spawnSync("mcs", ["--version"]).error || spawnSync("mono", ["--version"]).error;

/**
 * Returns the path of the compiled driver. Installs Mono on Debian as root if it is missing.
 * @throws Error with the command to run if Mono is missing elsewhere
 */
export function buildDotnet(folder) {
  const install = `apt-get install -y --no-install-recommends ${packages}`;
  if (isMissing() && existsSync("/etc/debian_version") && process.getuid?.() === 0)
    spawnSync("sh", ["-c", `apt-get update -q && ${install}`], { stdio: "inherit" });
  if (isMissing()) throw new Error(`Mono is missing. On Debian, run: ${install}`);
  mkdirSync(folder, { recursive: true });
  const library = join(folder, "LicencePortal.Client.dll");
  const compile = (target, out, sources, ...more) =>
    execFileSync(
      "mcs",
      [
        "-langversion:7.2",
        "-warn:4",
        "-warnaserror",
        `-target:${target}`,
        `-out:${join(folder, out)}`,
        ...["System.Core", "System.Net.Http", "System.Numerics"].map((name) => `-r:${name}`),
        ...more,
        ...sources,
      ],
      { stdio: ["ignore", "inherit", "inherit"] },
    );
  const listSources = (name) =>
    readdirSync(join(here, name))
      .filter((file) => file.endsWith(".cs"))
      .map((file) => join(here, name, file));
  compile(
    "library",
    "LicencePortal.Client.dll",
    listSources("src"),
    `-doc:${join(folder, "LicencePortal.Client.xml")}`,
  );
  compile("exe", "ConformanceDriver.exe", listSources("conformance"), `-r:${library}`);
  // The task pane needs Windows Forms, which Mono's packages don't install. Windows compiles it.
  compile("exe", "ConsoleSample.exe", listSources("samples/Console"), `-r:${library}`);
  return join(folder, "ConformanceDriver.exe");
}
