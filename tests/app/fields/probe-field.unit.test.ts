import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { object, string } from "yup";
import { auditedFieldInWords, auditedValueInWords } from "#schema/audit-words.ts";
import type { Field, Fields } from "#schema/fields/field.ts";
import { auditedValuesOf, exampleOf, formValuesOf, labelsOf, rulesOf, valuesOf } from "#schema/fields/field.ts";
import { nouns } from "#schema/fields/nouns.ts";

const probe: Field = {
  label: "Probe Label",
  rule: string().required("Probe is required."),
  example: "a probe",
  report: { title: "Probe Column", width: 20 },
};

afterEach(() => {
  vi.doUnmock("#schema/fields/contact.ts");
  vi.doUnmock("#schema/fields/user.ts");
  vi.resetModules();
});

/** Adds the probe to a noun's declaration, for modules imported from now on. */
function declareProbe(noun: "contact" | "user"): void {
  vi.resetModules();
  const add = async (importOriginal: () => Promise<unknown>) => {
    const original = (await importOriginal()) as Record<string, Fields>;
    const name = `${noun}Fields`;
    return { ...original, [name]: { ...original[name], probe } };
  };
  if (noun === "contact") vi.doMock("#schema/fields/contact.ts", add);
  else vi.doMock("#schema/fields/user.ts", add);
}

test("every noun that declares fields is listed", () => {
  const files = readdirSync(join(import.meta.dirname, "../../../schema/fields")).filter(
    (file) => !["field.ts", "nouns.ts"].includes(file),
  );
  expect(files.map((file) => file.replace(".ts", "")).toSorted()).toEqual(Object.keys(nouns).toSorted());
});

describe.each(Object.entries(nouns) as [string, Fields][])("the declaration of a %s", (_noun, declared) => {
  const fields: Fields = { ...declared, probe };
  const row = { ...exampleOf(fields) } as Record<string, string>;

  test("gives a new field to rules, labels, examples, forms and the audit log", () => {
    expect(rulesOf(fields).probe).toBe(probe.rule);
    expect(labelsOf(fields).probe).toBe("Probe Label");
    expect(exampleOf(fields).probe).toBe("a probe");
    expect(valuesOf(fields, { ...row, id: "1" })).toEqual(row);
    expect(formValuesOf(fields, null).probe).toBe("");
    expect(auditedValuesOf(fields, row).probe).toBe("a probe");
  });

  test("has examples that its rules accept, and audit labels that no other noun contradicts", async () => {
    await expect(object(rulesOf(declared)).validate(exampleOf(declared))).resolves.toBeTruthy();
    for (const [name, { example, label, auditLabel, list }] of Object.entries(declared)) {
      expect(auditedFieldInWords(name)).toBe(auditLabel ?? label);
      if (list) expect(list.map((entry) => entry.label)).toContain(auditedValueInWords(name, example));
    }
  });
});

test("a new field of a contact reaches its rules, form, report, OpenAPI example and the audit log", async () => {
  declareProbe("contact");
  const { contactRules } = await import("#schema/rules/contact.ts");
  const { contactsReport } = await import("#api/staff/reports/report-sources.ts");
  const { contactRoutes } = await import("#api/v1/contacts.ts");
  const { auditedFieldInWords: inWords } = await import("#schema/audit-words.ts");
  expect(contactRules.fields).toHaveProperty("probe");
  expect(contactsReport.columns("now()")).toContainEqual(
    expect.objectContaining({ title: "Probe Column", sql: "c.probe" }),
  );
  expect(contactRoutes[0]?.bodyExample).toMatchObject({ probe: "a probe" });
  expect(inWords("probe")).toBe("Probe Label");
});

test("a new field of a user reaches its rules, OpenAPI example and the audit log", async () => {
  declareProbe("user");
  const { createUserRules, updateUserRules } = await import("#schema/rules/user-form.ts");
  const { userDetailsRoutes } = await import("#api/v1/user-details.ts");
  const { auditedFieldInWords: inWords } = await import("#schema/audit-words.ts");
  expect(createUserRules.fields).toHaveProperty("probe");
  expect(updateUserRules.fields).toHaveProperty("probe");
  const update = userDetailsRoutes.find(({ url }) => url === "/v1/users/admin/update-user");
  expect(update?.bodyExample).toMatchObject({ probe: "a probe" });
  expect(inWords("probe")).toBe("Probe Label");
});
