/** Finds the browser for the tests, or installs it. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { productNode, root, run } from "./runtime.mjs";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const places = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Finds Chromium: `CHROMIUM_PATH`, otherwise the system's, otherwise Playwright's. If there is none, installs the
 * system package when running as root on Debian.
 * @returns {Promise<{ path: string } | { missing: string }>} the path, or a sentence that says how to get one
 */
export async function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given)
    return isExecutable(given) ? { path: given } : { missing: `CHROMIUM_PATH is ${given}, which cannot be run.` };
  const found = findSystemChromium() ?? findPlaywrightChromium();
  if (found) return { path: found };
  if (canInstall()) {
    const isInstalled = await install("chromium");
    const installed = findSystemChromium();
    if (isInstalled && installed) return { path: installed };
    return { missing: "Chromium could not be installed; run: apt-get update && apt-get install chromium" };
  }
  return { missing: "There is no Chromium for the browser tests; run: npx playwright install chromium" };
}

/**
 * Finds Firefox and WebKit for `npm run test:all`, or installs them as {@link findChromium} does.
 * @returns {Promise<string | null>} a sentence that says how to get them; null if they are there
 */
export async function findOtherBrowsers() {
  const programs = [process.env.FIREFOX_PATH ?? "firefox-esr", "WebKitWebDriver", "xvfb-run"];
  const packages = "firefox-esr webkit2gtk-driver xvfb";
  const hasAll = programs.every((name) => !spawnSync(name, ["--help"]).error);
  if (hasAll || (canInstall() && (await install(packages)))) return null;
  return `Firefox or WebKit is missing; on Debian, run: apt-get install ${packages}`;
}

const canInstall = () => existsSync("/etc/debian_version") && process.getuid?.() === 0;

/** Installs packages of Debian. Returns whether that succeeded. */
async function install(packages) {
  process.stdout.write(`Installing ${packages} from the system's packages …\n`);
  const { code } = await run(["-c", `apt-get update -q && apt-get install -y -q --no-install-recommends ${packages}`], {
    command: "/bin/sh",
    env: { DEBIAN_FRONTEND: "noninteractive" },
  });
  return code === 0;
}

function findSystemChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places];
  return candidates.find(isExecutable) ?? null;
}

/** Gets the path from Playwright in another process, because loading Playwright is slow. */
function findPlaywrightChromium() {
  const script = 'import("@playwright/test").then(({ chromium }) => process.stdout.write(chromium.executablePath()))';
  const { stdout } = spawnSync(productNode(), ["--input-type=module", "-e", script], { cwd: root, encoding: "utf8" });
  return stdout && isExecutable(stdout) ? stdout : null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
