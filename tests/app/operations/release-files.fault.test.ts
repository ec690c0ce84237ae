import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { fontFiles } from "#api/billing/invoices/pdf-fonts.ts";
import { createKeySet } from "#api/platform/keys/key-rotation.ts";
import { findFreePort } from "#tests/support/free-port.ts";
import { startSmtpServer } from "#tests/support/smtp-server.ts";
import { waitUntilReady } from "#tests/support/server-process.ts";
import { buildDatabaseUrl, createEmptyDatabase } from "#tests/support/test-database.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const minutes = 60_000;
const folder = createTemporaryFolder("portal-release-");
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const portal = join(folder, `portal-${version}`);

beforeAll(() => {
  const script = 'umask 077 && exec "$0" scripts/package.mjs --to "$1"';
  execFileSync("sh", ["-c", script, process.execPath, folder], { stdio: "inherit" });
  execFileSync("tar", ["-xzf", `portal-${version}.tar.gz`], { cwd: folder });
}, 15 * minutes);

test("the checksums and release.json describe the files", () => {
  execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: folder });
  expect(JSON.parse(readFileSync(join(folder, "release.json"), "utf8"))).toEqual({
    version,
    files: [`portal-${version}.tar.gz`, "sbom-build.cdx.json", "sbom-image.cdx.json"].map((name) => ({
      name,
      sizeBytes: readFileSync(join(folder, name)).length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })),
  });
  for (const name of ["sbom-build.cdx.json", "sbom-image.cdx.json"])
    expect(JSON.parse(readFileSync(join(folder, name), "utf8")).components.length).toBeGreaterThan(10);
});

test("every user may read the tarball's files and enter its folders", () => {
  const options = { encoding: "utf8", maxBuffer: 100_000_000 } as const;
  const list = execFileSync("tar", ["-tvzf", join(folder, `portal-${version}.tar.gz`)], options);
  expect(list.split("\n").filter((line) => line && !/^(?:d(?:r.x){3}|[-l](?:r..){3})/.test(line))).toEqual([]);
});

test("the tarball has every font of invoices, the native parts of both processors, and what operators need", () => {
  const fonts = Object.values(fontFiles).flatMap((find) =>
    (["regular", "semibold", "bold"] as const).map((weight) => relative(resolve("."), resolve(find(weight)))),
  );
  const needed = [
    ...fonts,
    "node_modules/@node-rs/argon2-linux-x64-gnu",
    "node_modules/@node-rs/argon2-linux-arm64-gnu",
    "docs/upgrading.md",
    "deploy/portal@.service",
    "brand.example.json",
    "clients/dotnet/LicencePortal.Client.csproj",
    "clients/crm-sync/crm-sync.mjs",
  ];
  expect(needed.length).toBeGreaterThan(70);
  expect(needed.filter((file) => !existsSync(join(portal, file)))).toEqual([]);
  expect(readdirSync(join(portal, "node_modules"))).not.toContain("class-validator");
  // Helm reads the alert rules through this link, on any machine.
  expect(readlinkSync(join(portal, "deploy/helm/alerts.yml"))).toBe("../monitoring/alerts.yml");
});

test(
  "the server of the tarball runs in production without a build",
  async () => {
    const port = await findFreePort();
    const smtp = await startSmtpServer();
    const started = performance.now();
    const server: ChildProcess = spawn(process.execPath, ["dist/server/server.js"], {
      cwd: portal,
      env: {
        PATH: process.env["PATH"],
        NODE_ENV: "production",
        HOST: "127.0.0.1",
        PORT: String(port),
        PUBLIC_URL: "https://portal.example.com",
        DATABASE_URL: buildDatabaseUrl(await createEmptyDatabase()),
        SMTP_URL: smtp.url,
        BRAND_FILE: "brand.example.json",
        DATA_DIR: join(folder, "data"),
        DRAIN_SECONDS: "0",
        SIGNING_KEYS: JSON.stringify(createKeySet("signing")),
        ENCRYPTION_KEYS: JSON.stringify(createKeySet("encryption")),
        RELEASE_KEYS: JSON.stringify(createKeySet("release")),
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    onTestFinished(async () => {
      server.kill("SIGKILL");
      await smtp.close();
    });
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(url, minutes);
    const page = await fetch(url);
    const seconds = (performance.now() - started) / 1_000;
    process.stdout.write(`First page of a new database after ${seconds.toFixed(1)} s\n`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
    for (const path of ["/login/", "/v1/openapi.json", "/playground/"])
      expect((await fetch(url + path)).status).toBe(200);
    server.kill("SIGTERM");
    await once(server, "exit");
  },
  2 * minutes,
);
