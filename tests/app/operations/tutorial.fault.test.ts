import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { buildRegistration, testPassword } from "#tests/factories/user.ts";
import { expectNoBuiltInCompany } from "#tests/support/built-in-company.ts";
import { findFreePort } from "#tests/support/free-port.ts";
import { sendRequest } from "#tests/support/send-request.ts";
import { waitUntilReady } from "#tests/support/server-process.ts";
import { startSmtpServer } from "#tests/support/smtp-server.ts";
import { buildDatabaseUrl, createEmptyDatabase } from "#tests/support/test-database.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const minutes = 60_000;
const folder = createTemporaryFolder("portal-tutorial-");
const port = await findFreePort();
const url = `http://127.0.0.1:${port}`;
const smtp = await startSmtpServer();
const database = await createEmptyDatabase();
// The owner creates it.
const role = `tutorial_${randomBytes(6).toString("hex")}`;
const runtime = { ...database, user: role, password: "secret0" };

/** Parts of the tutorial that differ on this machine. */
const replaced: Readonly<Record<string, string>> = {
  "/opt/portal": resolve("."),
  "/etc/portal": join(folder, "etc"),
  "/var/lib/portal": join(folder, "lib"),
  "/var/backups/portal": join(folder, "backups"),
  "postgres://portal:PASSWORD@127.0.0.1:5432/portal": buildDatabaseUrl(runtime),
  "postgres://portal_owner:PASSWORD@127.0.0.1:5432/portal": buildDatabaseUrl(database),
  "smtps://USER:PASSWORD@smtp.example.com": smtp.url,
};

let output = "";
let nightly = "";
let server: ChildProcess;

/** Runs the blocks marked `sh` in the order of the page, as a reader would: in one shell, but the last one from a timer. */
async function runTutorial(): Promise<string> {
  let page = readFileSync("docs/deploy.md", "utf8");
  for (const [text, here] of Object.entries(replaced)) {
    expect(page).toContain(text);
    page = page.replaceAll(text, here);
  }
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  nightly = blocks.pop() ?? "";
  return (await runInShell(`set -euo pipefail\n${blocks.join("\n")}`)) + (await runInShell(nightly));
}

async function runInShell(script: string): Promise<string> {
  const file = join(folder, "tutorial.sh");
  writeFileSync(file, script);
  // The shell of a new user has none of this process's settings.
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH: `${dirname(process.execPath)}:${PATH}`, HOME };
  const shell = spawn("bash", [file], { env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (text: Buffer) => (printed += text.toString()));
  const [code] = (await once(shell, "close")) as [number];
  if (code !== 0) throw new Error(`The tutorial ended with ${code}:\n${printed}`);
  return printed;
}

beforeAll(async () => {
  for (const name of ["etc", "lib", "backups"]) mkdirSync(join(folder, name));
  output = await runTutorial();
  // Step 6 starts the same program with the same file through systemd.
  const settings = readFileSync(join(folder, "etc/portal.env"), "utf8").matchAll(/^(\w+)='?(.*?)'?$/gm);
  const written = Object.fromEntries([...settings].map(([, name, value]) => [name, value]));
  const env = { ...written, PORT: String(port), HOST: "127.0.0.1" };
  server = spawn(process.execPath, ["dist/server/server.js"], { env, stdio: ["ignore", "ignore", "inherit"] });
  await waitUntilReady(url, minutes);
}, 10 * minutes);

afterAll(async () => {
  server.kill("SIGTERM");
  await once(server, "exit");
  await smtp.close();
}, minutes);

const post = (path: string, body: object, token?: string) => sendRequest(url + path, "POST", { body, token });

async function send(query: string, variables: object, token: string) {
  const { json } = await post("/graphql", { query, variables }, token);
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return Object.values(json.data)[0] as Record<string, unknown>;
}

async function receiveEmail(to: string, subject: RegExp) {
  for (let tries = 0; tries < 300; tries++) {
    const found = smtp.delivered.find((email) => email.recipients.includes(to) && subject.test(email.subject ?? ""));
    if (found) return found;
    await sleep(100);
  }
  throw new Error(`${to} received no email like ${String(subject)}.`);
}

describe("the tutorial", { timeout: 5 * minutes }, () => {
  test("creates the first admin, passes doctor, and verifies a backup", () => {
    expect(output).toContain("ada@example.com was created as an admin");
    expect(output).toContain("Everything is in order.");
    expect(output).toMatch(/The backup of \S+ is complete: [\d,]+ rows/);
  });

  test("lets the nightly script fail if the backup fails, although an older one can be verified", async () => {
    const failing = nightly.replace("backup --to ", "backup --to /dev/null/");
    await expect(runInShell(failing)).rejects.toThrow("The tutorial ended with 1");
  });

  test("serves pages with the company of the brand file, and no development tools", async () => {
    const page = await (await fetch(`${url}/`)).text();
    const { name, seller } = JSON.parse(readFileSync("brand.example.json", "utf8"));
    expect(page).toContain(name);
    expect(page).toContain(seller.legalName);
    for (const text of [brand.name, brand.company.legalName, brand.mailboxes.sales.email])
      expect(page).not.toContain(text);
    expect((await fetch(`${url}/dev/mail`)).status).toBe(404);
  });

  test("shows nothing of the built-in company in pages, scripts and data of the site", async () => {
    const files = globSync(join(folder, "lib/pages/*/**/*.{html,js,json,svg,webmanifest,vtt}"));
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) expectNoBuiltInCompany(readFileSync(file, "utf8"), file);
    for (const path of ["/sitemap.xml", "/robots.txt", "/v1/openapi.json", "/admin/", "/login/", "/missing/"])
      expectNoBuiltInCompany(await (await fetch(url + path)).text(), path);
  });

  test("ends with a sale by bank transfer", async () => {
    const [, link = ""] = /https:\/\/portal\.example\.com\/reset-password\/\?t=(\S+)/.exec(output) ?? [];
    const passwords = { password: testPassword, confirmPassword: testPassword };
    const admin = await post("/v1/core/accounts/password/reset", { resetToken: link, ...passwords });
    expect(admin.status).toBe(200);
    const staff = admin.json.access_token as string;

    const email = "grace@customer.example";
    expect((await post("/v1/core/accounts", buildRegistration({ email }))).status).toBe(200);
    const welcome = await receiveEmail(email, /^Confirm your email address for Ridgeline Scheduling/);
    expect(welcome.from?.address).toBe("no-reply@ridgeline.example");
    const [, confirmationToken] = /\?t=([\w-]+)/.exec(welcome.text ?? "") ?? [];
    const confirmed = await post("/v1/core/accounts/confirm-email", { confirmationToken, ...passwords });
    expect(confirmed.status).toBe(200);
    const customer = confirmed.json.access_token as string;
    const subscription = { productId: "xer-professional-monthly", paymentMethodId: "pm_1" };
    const cards = await post("/v1/subscriptions/create-subscription", subscription, customer);
    expect([cards.status, JSON.stringify(cards.json)]).toEqual([422, expect.stringContaining("pay by bank transfer")]);

    const { id: userId } = await send("{ me { id } }", {}, customer);
    const lines = [{ description: "Concurrent licence, a year", quantity: 1, unitCents: 100_000 }];
    const seats = { numberOfUsers: 5, numberOfMachines: 10 };
    const licence = { productLevel: "CORPORATE_DARK_CONCURRENT", ...seats, until: "2030-01-01" };
    const draft = await send(
      `mutation ($userId: ID!, $input: ManualInvoiceInput!) { createInvoice(userId: $userId, input: $input, key: "first-sale-of-the-tutorial") { id revision } }`,
      { userId, input: { lines, licence } },
      staff,
    );
    const issue = "issueInvoice(id: $id, revision: $revision) { id number balanceCents }";
    const issued = await send(`mutation ($id: ID!, $revision: Int!) { ${issue} }`, draft, staff);
    expect(issued).toMatchObject({ number: "100001", balanceCents: 110_000 });
    const invoice = await receiveEmail(email, /invoice/i);
    const { bank } = JSON.parse(readFileSync("brand.example.json", "utf8")).seller;
    expect(invoice.text).toContain(bank.bsb);
    expect(invoice.attachments).toHaveLength(1);
    const pdf = await getDocumentProxy(new Uint8Array(invoice.attachments[0]?.content as ArrayBuffer));
    const { text } = await extractText(pdf, { mergePages: true });
    expect(text).toContain(bank.accountNumber);
    expectNoBuiltInCompany(text + JSON.stringify(await pdf.getMetadata()), "tax invoice");

    const receivedDay = new Date().toISOString().slice(0, 10);
    await send(
      `mutation ($id: ID!, $input: ReceivedPaymentInput!) {
         recordPayment(invoiceId: $id, input: $input, expectedBalanceCents: 110000, key: "first-payment-of-the-tutorial") { id } }`,
      { id: issued.id, input: { method: "BANK_TRANSFER", amountCents: 110_000, receivedDay, reference: "1" } },
      staff,
    );
    expect((await send("{ me { licences { licenceCode } } }", {}, customer)).licences).toHaveLength(1);
    for (const { from, subject, text: body, html } of smtp.delivered)
      expectNoBuiltInCompany([from?.address, subject, body, html].join("\n"), subject ?? "email");
  });
});
