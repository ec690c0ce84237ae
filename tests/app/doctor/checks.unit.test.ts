import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ClientBase } from "pg";
import { describe, expect, test } from "vitest";
import { databaseChecks } from "#api/app/doctor/database-checks.ts";
import { checkCertificate, checkUpdates } from "#api/app/doctor/other-checks.ts";
import { checkMailDomain } from "#api/app/doctor/mail-domain.ts";
import { describeSpan } from "#api/app/doctor/result.ts";
import { migrations } from "#api/migrations/index.ts";
import { DAY } from "#api/platform/clock.ts";
import { defaultOperations } from "#api/platform/operations-settings.ts";
import { brand } from "#schema/brand.ts";
import { listenLocally } from "#tests/support/listen-locally.ts";
import { createTestConfig } from "#tests/support/test-config.ts";
import { selfSigned } from "#tests/support/self-signed.ts";

const domain = brand.sender.email.split("@")[1] ?? "";

test("warns of a newer database, on which the previous release runs, and fails for a missing migration", async () => {
  const check = async (names: readonly string[]) => {
    const client = { query: async () => ({ rows: names.map((name) => ({ name })) }) } as unknown as ClientBase;
    return (await databaseChecks.migrations?.(client, createTestConfig("")))?.state;
  };
  const names = migrations.map(({ name }) => name);
  expect([await check(names), await check([...names, "9999-newer"])]).toEqual(["ok", "warning"]);
  expect(await check([...names.slice(1), "9999-newer"])).toBe("failed");
});

test("warns if charges weren't compared with the payment provider for days, also if they never were", async () => {
  const check = async (row: Readonly<Record<"at" | "charged", number | null>>, message: string | null = null) => {
    const toTime = (daysAgo: number | null) => daysAgo && new Date(Date.now() - daysAgo * DAY).toISOString();
    const rows = [{ message, at: toTime(row.at), charged: toTime(row.charged) }];
    const config = { ...createTestConfig(""), stripe: {} as never };
    return (await databaseChecks["books and provider"]?.({ query: async () => ({ rows }) } as never, config))?.state;
  };
  expect(await check({ at: 1, charged: 90 })).toBe("ok");
  expect(await check({ at: 4, charged: 90 })).toBe("warning");
  expect(await check({ at: null, charged: 4 })).toBe("warning");
  expect(await check({ at: null, charged: null })).toBe("ok");
  expect(await check({ at: 4, charged: 90 }, "The payment provider disagrees.")).toBe("failed");
});

describe("the domain of emails", () => {
  const good = {
    [domain]: ["google-site-verification=1", "v=spf1 include:smtp.example ~all"],
    [`_dmarc.${domain}`]: ["v=DMARC1; p=quarantine; rua=mailto:postmaster@example.com"],
    [`s1._domainkey.${domain}`]: ["v=DKIM1; k=rsa; p=MIIB"],
  };
  const examine = (records: Readonly<Record<string, readonly string[]>>, dkimSelectors = ["s1"]) =>
    checkMailDomain(
      { smtpUrl: "smtp://smtp.example", production: true, operations: { ...defaultOperations, dkimSelectors } },
      {
        async resolveTxt(name) {
          const found = records[name];
          if (!found) throw Object.assign(new Error("no record"), { code: "ENOTFOUND" });
          // DNS splits texts of more than 255 characters.
          return found.map((text) => [text.slice(0, 7), text.slice(7)]);
        },
      },
    );

  test("is in order with SPF, DKIM and DMARC", async () => {
    expect(await examine(good)).toEqual({ state: "ok", message: `${domain}: SPF, DMARC (p=quarantine), DKIM (s1)` });
  });

  test.each([
    ["no SPF", { [domain]: ["other"] }, "warning", `${domain} has no SPF record.`],
    ["two SPF records", { [domain]: ["v=spf1 -all", "v=spf1 ~all"] }, "failed", "2 SPF records, so none counts."],
    ["an SPF record for everyone", { [domain]: ["v=spf1 mx +all"] }, "failed", "lets everyone send."],
    ["no DMARC", { [`_dmarc.${domain}`]: [] }, "warning", `${domain} has no DMARC record.`],
    ["no DKIM key", { [`s1._domainkey.${domain}`]: [] }, "warning", "There is no DKIM key at s1._domainkey."],
    ["a revoked DKIM key", { [`s1._domainkey.${domain}`]: ["v=DKIM1; p="] }, "warning", "is revoked."],
  ])("finds %s", async (_, change, state, message) => {
    const finding = { state, message: expect.stringContaining(message), fix: expect.stringMatching(/^\w/) };
    expect(await examine({ ...good, ...change } as typeof good)).toEqual(finding);
  });

  test("accepts the DMARC record of a domain above it, and says that DKIM isn't checked without selectors", async () => {
    const parent = domain.split(".").slice(-2).join(".");
    expect(
      await examine({ ...good, [`_dmarc.${domain}`]: [], [`_dmarc.${parent}`]: ["v=DMARC1; p=none"] }),
    ).toMatchObject(parent === domain ? { state: "ok" } : { state: "ok", message: expect.stringContaining("p=none") });
    expect(await examine(good, [])).toMatchObject({ state: "warning", fix: expect.stringContaining("selectors") });
  });

  test("says so where DNS doesn't answer, after its time limit", async () => {
    const silent = createSocket("udp4");
    silent.bind(0, "127.0.0.1");
    await once(silent, "listening");
    const resolver = new Resolver({ timeout: 100, tries: 1 });
    resolver.setServers([`127.0.0.1:${silent.address().port}`]);
    const production = { smtpUrl: "smtp://smtp.example", production: true, operations: defaultOperations };
    expect(await checkMailDomain(production, resolver)).toEqual({
      state: "warning",
      message: `DNS didn't answer (ETIMEOUT), so SPF, DKIM and DMARC of ${domain} aren't known.`,
      fix: expect.stringContaining(`dig +short TXT ${domain}`),
    });
    silent.close();
  });
});

describe("updates", () => {
  const serve = (body: string, status = 200) =>
    listenLocally(createServer((_, response) => response.writeHead(status).end(body)));
  const examine = async (body: string, status?: number) =>
    checkUpdates(
      { operations: { ...defaultOperations, updatesUrl: `http://127.0.0.1:${await serve(body, status)}` } },
      "1.9.0",
    );

  test("are looked for only at UPDATES_URL, and name a newer version with its notes, and no older one", async () => {
    const message = "version 1.9.0; UPDATES_URL isn't set, so nothing looks for a newer one";
    expect(await checkUpdates({ operations: defaultOperations }, "1.9.0")).toEqual({ state: "ok", message });
    expect(await examine('{"version": "1.10.0", "notes": "https://example.com/notes"}')).toEqual({
      state: "warning",
      message: "Version 1.10.0 is available; 1.9.0 runs.",
      fix: "Read https://example.com/notes, then follow docs/upgrading.md.",
    });
    const newest = { state: "ok", message: "version 1.9.0 is the newest" };
    for (const version of ["1.9.0", "1.8.12"]) expect(await examine(JSON.stringify({ version }))).toEqual(newest);
  });

  test("say what is wrong with the answer", async () => {
    const message: unknown = expect.stringContaining("UPDATES_URL doesn't name a release: ");
    for (const [body, status] of Object.entries({ "<html>": 200, '{"version": "latest"}': 200, "": 404 }))
      expect(await examine(body, status)).toMatchObject({ state: "warning", message });
  });
});

describe("the certificate of PUBLIC_URL", () => {
  test("fails if browsers refuse it", async () => {
    const port = await listenLocally(createTlsServer(selfSigned));
    const finding = { state: "failed", message: expect.stringContaining("self-signed") };
    const publicUrl = `https://localhost:${port}`;
    expect(await checkCertificate({ publicUrl, production: true })).toMatchObject(finding);
  });

  test("isn't known if nothing answers, and is missing without https", async () => {
    const finding = { state: "warning", message: expect.stringContaining("can't be reached from here (ECONNREFUSED)") };
    expect(await checkCertificate({ publicUrl: "https://localhost:9", production: true })).toMatchObject(finding);
    const check = async (production: boolean) =>
      (await checkCertificate({ publicUrl: "http://localhost:4000", production })).state;
    expect([await check(true), await check(false)]).toEqual(["warning", "ok"]);
  });
});

test("describes a time span in its largest unit", () => {
  const spans = [0, 1, 59.9, 60, 7_199, 7_200, 86_400, 1e7].map(describeSpan);
  expect(spans.join(", ")).toBe("0 seconds, 1 second, 59 seconds, 1 minute, 1 hour, 2 hours, 1 day, 115 days");
});
