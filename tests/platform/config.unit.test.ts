import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ConfigError, readConfig as readSettings } from "#api/config.ts";
import { generateSigningJwk } from "#api/platform/keys/signing-keys.ts";
import { settings } from "#api/app/settings.ts";

/** Reads the settings of a development process with `env`. */
const readConfig = (env: Record<string, string>) => readSettings({ NODE_ENV: "development", ...env });

function readFaults(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}

const safe = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://portal.example.com",
  DATABASE_URL: "postgres://portal:secret@db:5432/portal?sslmode=verify-full",
  SMTP_URL: "smtps://user:secret@mail:465",
  SIGNING_KEYS: JSON.stringify({ keys: [generateSigningJwk()] }),
  BRAND_FILE: "brand.example.json",
  STRIPE_SECRET_KEY: "sk_live_0",
  STRIPE_PUBLISHABLE_KEY: "pk_live_0",
  STRIPE_WEBHOOK_SECRET: `whsec_${"0".repeat(32)}`,
};

describe("settings", () => {
  test("all have defaults for development", () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 4000,
      publicUrl: "http://localhost:4000",
      databaseUrl: null,
      smtpUrl: null,
      rateLimits: true,
    });
  });

  test("report all errors together", () => {
    const wrong = {
      PORT: "http",
      PUBLIC_URL: "portal",
      DATABASE_URL: "mysql://x",
      SMTP_URL: "mail",
      SIGNING_KEYS: "{}",
      ENCRYPTION_KEYS: JSON.stringify({ keys: [{ kty: "oct", kid: "short", k: "AAAA" }] }),
      RELEASE_KEYS: "[]",
      RELEASE_APPROVAL: "nobody",
      RATE_LIMITS: "no",
      CHECK_RESPONSES: "no",
      LOG_LEVEL: "loud",
      GRAPHQL_OPERATIONS: "all",
      ADDRESS_API_URL: "places",
    };
    const faults = readFaults({ ...wrong, ADDRESS_PROVIDER: "google-places" });
    // The provider needs a key.
    for (const name of [...Object.keys(wrong), "ADDRESS_API_KEY"])
      expect(faults.filter((fault) => fault.startsWith(name))).toHaveLength(1);
  });

  test("listen only on this machine outside production, unless HOST is set", () => {
    expect([readConfig({}).host, readConfig({ HOST: "0.0.0.0" }).host]).toEqual(["127.0.0.1", "0.0.0.0"]);
    expect([readConfig({ ...safe }).host, readConfig({ ...safe, HOST: "::" }).host]).toEqual(["0.0.0.0", "::"]);
    for (const PORT of ["4e3", "0x1f90", "-1", "65536"])
      expect(readFaults({ PORT })).toContain("PORT must be a number from 0 to 65535.");
    expect(readFaults({ HOST: "portal" })).toEqual(["HOST must be an IP address or localhost."]);
  });

  test("allow any GraphQL operation by default", () => {
    expect(readConfig({}).graphqlOperations).toBe("any");
    expect(readConfig({ ...safe, GRAPHQL_OPERATIONS: "known" }).graphqlOperations).toBe("known");
  });

  test.each([
    ["", []],
    ["loopback", ["loopback"]],
    [" 10.0.0.0/8 , 192.0.2.7,fd00::/8,uniquelocal", ["10.0.0.0/8", "192.0.2.7", "fd00::/8", "uniquelocal"]],
    ["192.0.2.7/32,::1/128", ["192.0.2.7/32", "::1/128"]],
  ])("accept TRUSTED_PROXIES=%j", (text, proxies) => {
    expect(readConfig({ TRUSTED_PROXIES: text }).trustedProxies).toEqual(proxies);
  });

  test.each(["true", "1", "10.0.0.0/33", "::/129", "0.0.0.0/0", "::/0", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0/8"])(
    "reject TRUSTED_PROXIES=%j",
    (text) => {
      expect(readFaults({ TRUSTED_PROXIES: text })).toEqual([expect.stringMatching(/^TRUSTED_PROXIES must list/)]);
    },
  );

  test("require a key for an online address provider", () => {
    expect(readConfig({}).addressProvider).toBeNull();
    expect(readFaults({ ADDRESS_PROVIDER: "postman" }).join()).toContain("ADDRESS_PROVIDER must be one of embedded");
    expect(readConfig({ ADDRESS_PROVIDER: "addressfinder", ADDRESS_API_KEY: "k" }).addressProvider).toEqual({
      name: "addressfinder",
      apiKey: "k",
      url: null,
    });
  });

  test.each([
    ["PUBLIC_URL", "https://example.com/portal"],
    ["PUBLIC_URL", "https://example.com?a=1"],
    ["DATABASE_URL", "postgres://portal:50%off@db/portal"],
    ["DATABASE_OWNER_URL", "postgres://owner:50%off@db/portal"],
  ])("reject %s=%s", (name, value) => {
    const faults = readFaults({ DATABASE_URL: "postgres://db/portal", [name]: value });
    expect(faults).toEqual([expect.stringMatching(`^${name} must `)]);
  });

  test("remove the trailing slash of PUBLIC_URL", () => {
    expect(readConfig({ PUBLIC_URL: "https://portal.example.com/" }).publicUrl).toBe("https://portal.example.com");
  });

  test("are all listed in .env.example", () => {
    const example = readFileSync(".env.example", "utf8");
    for (const { name } of settings) expect(example).toContain(`# ${name}=`);
  });
});

describe("production", () => {
  test.each([undefined, "", "staging", "Development", "production"])("is the mode with NODE_ENV=%j", (mode) => {
    expect(readSettings({ ...safe, NODE_ENV: mode }).production).toBe(true);
    expect(() => readSettings({ NODE_ENV: mode })).toThrow(
      mode ? "PUBLIC_URL must be set in production" : "This is production, because NODE_ENV isn't set.",
    );
  });

  test("takes no card payments without the payment provider", () => {
    const { STRIPE_SECRET_KEY: _1, STRIPE_PUBLISHABLE_KEY: _2, STRIPE_WEBHOOK_SECRET: _3, ...rest } = safe;
    expect(readConfig(rest)).toMatchObject({ production: true, stripe: null });
    expect(readFaults({ ...rest, STRIPE_SECRET_KEY: "sk_live_0" })).toEqual([
      "STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET must be set too.",
    ]);
  });

  test.each(["PUBLIC_URL", "DATABASE_URL", "SMTP_URL", "SIGNING_KEYS", "BRAND_FILE", "STRIPE_WEBHOOK_SECRET"])(
    "reports a missing %s by name",
    (name) => {
      const { [name as keyof typeof safe]: _, ...rest } = safe;
      expect(readFaults(rest).join()).toContain(name);
    },
  );

  test.each([
    ["RATE_LIMITS", "off"],
    ["PUBLIC_URL", "http://portal.example.com"],
    ["STRIPE_API_URL", "http://127.0.0.1:9"],
    ["STRIPE_SECRET_KEY", "pk_live_0"],
    ["STRIPE_SECRET_KEY", "sk_test_0"],
    ["STRIPE_SECRET_KEY", "rk_test_0"],
    ["STRIPE_PUBLISHABLE_KEY", "pk_test_0"],
    ["STRIPE_WEBHOOK_SECRET", "whsec_short"],
    ["SMTP_URL", "smtp://mail.example.com:587"],
    ["SMTP_URL", "smtps://mail.example.com?tls.rejectUnauthorized=false"],
    ["SMTP_URL", "smtp://mail.example.com:587?requireTLS=true&ignoreTLS=1"],
    ["SMTP_URL", "smtp://mail.example.com:587?requireTLS=true&opportunisticTLS=true"],
    ["DATABASE_URL", "postgres://portal:secret@db:5432/portal"],
    ["DATABASE_URL", "postgres://portal:secret@db:5432/portal?sslmode=no-verify"],
    ["DATABASE_DIRECT_URL", "postgres://portal:secret@db:5432/portal"],
    ["DATABASE_OWNER_URL", "postgres://portal_owner:secret@db:5432/portal"],
    ["DATABASE_REPLICA_URL", "postgres://portal:secret@replica:5432/portal"],
    ["DATABASE_URL", "postgres://portal:secret@127.0.0.1.example.com:5432/portal"],
    ["DATABASE_URL", "postgres://portal:secret@127.0.0.1:5432,db:5432/portal?target_session_attrs=read-write"],
    ["DATABASE_URL", "postgres://portal:secret@db1,db2/portal?host=/var/run/postgresql"],
  ])("rejects %s=%s", (name, value) => {
    const faults = readFaults({ ...safe, [name]: value });
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toContain(name);
  });

  test.each([
    ["SMTP_URL", "smtp://localhost:1025"],
    ["SMTP_URL", "smtp://mail.example.com:587?requireTLS=true"],
    ["DATABASE_URL", "postgres://portal:secret@127.0.0.1:5432/portal"],
    ["DATABASE_URL", "postgres://portal:secret@[::1]:5432/portal"],
    ["DATABASE_URL", "postgres:///portal?host=/var/run/postgresql"],
    ["DATABASE_URL", "postgres://portal:secret@127.0.0.1:5432,[::1]:5433/portal?target_session_attrs=primary"],
    ["DATABASE_URL", "postgres://portal:secret@db1,db2:5433/portal?sslmode=verify-full"],
    ["DATABASE_URL", "postgres://portal:secret@%2Fvar%2Frun%2Fpostgresql/portal"],
    ["DATABASE_DIRECT_URL", "postgres://portal:secret@127.0.0.1:5433/portal"],
    ["DATABASE_REPLICA_URL", "postgres://portal:secret@replica:5432/portal?sslmode=verify-full"],
  ])("accepts %s=%s", (name, value) => {
    expect(readFaults({ ...safe, [name]: value })).toEqual([]);
  });

  test("reports all unsafe settings together, each with its fix", () => {
    const faults = readFaults({
      ...safe,
      STRIPE_SECRET_KEY: "sk_test_0",
      STRIPE_WEBHOOK_SECRET: "whsec_short",
      SMTP_URL: "smtp://mail.example.com",
      DATABASE_URL: "postgres://db/portal",
    });
    expect(faults).toHaveLength(4);
    expect(faults.join()).toMatch(/sslmode=verify-full.*requireTLS=true.*live key.*at least 32 characters/);
  });

  test("requires two-step sign-in of admins unless a setting says otherwise", () => {
    expect(readConfig(safe)).toMatchObject({ adminTwoStepRequired: true, firstAdminGraceDays: 7 });
    const required = readConfig({ ...safe, ADMIN_TWO_STEP: "required" });
    expect(required).toMatchObject({ adminTwoStepRequired: true, firstAdminGraceDays: 0 });
    expect(readConfig({ ...safe, ADMIN_TWO_STEP: "optional" }).adminTwoStepRequired).toBe(false);
    expect(readConfig({}).adminTwoStepRequired).toBe(false);
  });
});
