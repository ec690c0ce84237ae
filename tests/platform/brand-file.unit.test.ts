import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { applyBrandSettings, builtIn, isBrandReplaced, parseSender, readBrandFile } from "#api/platform/brand-file.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const example = JSON.parse(readFileSync("brand.example.json", "utf8"));

afterEach(() => Object.assign(brand, structuredClone(builtIn)));

/** Writes a brand file: the example with `change` applied. */
function write(change: (file: typeof example) => unknown): string {
  const file = join(createTemporaryFolder("brand-"), "brand.json");
  const copy = structuredClone(example);
  writeFileSync(file, JSON.stringify(change(copy) ?? copy));
  return file;
}

describe("the brand file", () => {
  test("in the repository is a complete example of another company", () => {
    const { values, faults } = readBrandFile("brand.example.json");
    expect(faults).toEqual([]);
    expect(values?.get("seller.legalName")).not.toBe(builtIn.company.legalName);
  });

  test("may begin with a byte order mark", () => {
    const file = write(() => undefined);
    writeFileSync(file, `\ufeff${readFileSync(file, "utf8")}`);
    expect(readBrandFile(file).faults).toEqual([]);
  });

  test("names every missing field", () => {
    const file = write(() => ({ name: "Acme" }));
    const [fault] = readBrandFile(file).faults;
    for (const path of ["segment", "domain", "mailboxes.support", "seller.abn", "seller.bank.bsb", "timeZone", "links"])
      expect(fault).toContain(path);
    expect(fault).not.toMatch(/\bname\b/);
  });

  test.each([
    ["segment", (file: typeof example) => (file.segment = "XER 2"), "segment must be up to 20 lower-case letters"],
    ["abn", (file: typeof example) => (file.seller.abn = "12"), "seller.abn must be 11 digits."],
    ["bsb", (file: typeof example) => (file.seller.bank.bsb = "12"), "seller.bank.bsb must be 6 digits"],
    [
      "mailbox",
      (file: typeof example) => (file.mailboxes.sales = "nobody"),
      "mailboxes.sales must be an email address.",
    ],
    ["time zone", (file: typeof example) => (file.timeZone = "Mars/Base"), "timeZone must be an IANA time zone"],
    ["name", (file: typeof example) => (file.name = "<b>Acme</b>"), "name must be up to 200 characters"],
    ["logo", (file: typeof example) => (file.logo = "logo.svg"), "logo must be a data URL of a square PNG"],
    [
      "link",
      (file: typeof example) => (file.links.youTube = "javascript:alert(1)"),
      "links.youTube must be an https URL.",
    ],
  ])("refuses an invalid %s", (_, change, message) => {
    const faults = readBrandFile(write((file) => void change(file))).faults;
    expect(faults).toEqual([expect.stringContaining(`BRAND_FILE: ${message}`)]);
  });

  test("is refused if it can't be read or isn't JSON", () => {
    expect(readBrandFile("missing.json").faults).toEqual([expect.stringMatching(/^BRAND_FILE can't be read: ENOENT/)]);
    expect(readBrandFile("README.md").faults).toEqual([expect.stringContaining("must contain a JSON object")]);
  });

  test("replaces the whole built-in company", () => {
    expect(isBrandReplaced()).toBe(false);
    applyBrandSettings({ BRAND_FILE: "brand.example.json" });
    expect(isBrandReplaced()).toBe(true);
    const { installerPath: _path, publisher: _publisher, ...rest } = brand;
    expect(JSON.stringify(rest)).not.toMatch(/Planvarro|000 000 019|Sample Street/i);
    expect(brand.company.bank.bsb).toBe(example.seller.bank.bsb);
    expect(brand.sender).toEqual({ name: "Ridgeline Scheduling", email: "no-reply@ridgeline.example" });
  });

  test("keeps the built-in company if it is invalid", () => {
    applyBrandSettings({ BRAND_FILE: "README.md" });
    expect(isBrandReplaced()).toBe(false);
  });
});

test.each([
  ["Acme Portal <portal@acme.example>", { name: "Acme Portal", email: "portal@acme.example" }],
  ["portal@acme.example", { name: "", email: "portal@acme.example" }],
  ["Acme <acme>", null],
  ["a@b.example, c@d.example", null],
])("parses MAIL_FROM=%s", (text, sender) => {
  expect(parseSender(text)).toEqual(sender);
  applyBrandSettings({ MAIL_FROM: text });
  expect(brand.sender.email).toBe(sender?.email ?? builtIn.sender.email);
});
