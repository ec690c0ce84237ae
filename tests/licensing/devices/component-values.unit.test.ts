import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { identifiesMachine, pickIdentifyingComponents } from "#api/licensing/devices/component-values.ts";

const hash = (algorithm: string, text: string | Buffer, form: "hex" | "base64" = "hex") =>
  createHash(algorithm).update(text).digest(form);

test.each([
  "",
  "   ",
  "\u0000",
  "\u3164\u115f\uffa0",
  "Ｎｏｎｅ",
  "0",
  "00000000-0000-0000-0000-000000000000",
  "ff:ff:ff:ff:ff:ff",
  "XXXXXXXXXX",
  "..........",
  "to be filled by o.e.m",
  "To Be Filled By O.E.M. by More String",
  "Default_String",
  "SYSTEM SERIAL NUMBER",
  "Not Applicable",
  "N/A",
  "none",
  "0x00000000",
  "123456789",
  "98765-4321",
  "03000200-0400-0500-0006-000700080009",
  hash("sha1", ""),
  hash("sha512", "").toUpperCase(),
  hash("sha256", "", "base64"),
  hash("md5", "To be filled by O.E.M."),
  hash("sha256", Buffer.from("Default string", "utf16le")),
  hash("sha256", "00000000"),
  hash("sha256", "not specified"),
  hash("sha1", "SYSTEM MANUFACTURER"),
  hash("sha256", "").match(/../g)?.join("-") ?? "",
])("identifiesMachine rejects %j", (value) => {
  expect(identifiesMachine(value)).toBe(false);
});

test.each([
  "b1",
  "5CG1234XYZ",
  "BFEBFBFF000906EA",
  "4C4C4544-0042-3510-8052-B7C04F4E3132",
  "00:1A:2B:3C:4D:5E",
  "S3Z9NB0K123456",
  "VMware-56 4d 1c 8e 02 5b",
  hash("sha256", "S3Z9NB0K123456"),
])("identifiesMachine accepts %j", (value) => {
  expect(identifiesMachine(value)).toBe(true);
});

test("picks no component if none identifies the machine, so that a failed reading replaces nothing", () => {
  expect(pickIdentifyingComponents({ board: "", disk: "None" })).toBeNull();
  expect(pickIdentifyingComponents(undefined)).toBeNull();
  expect(pickIdentifyingComponents({ board: "AB12", disk: "", cpu: "Zx" })).toEqual({ board: "ab12", cpu: "Zx" });
});
