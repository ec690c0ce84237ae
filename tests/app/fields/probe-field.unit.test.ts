import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { object, ObjectSchema, string } from "yup";
import { auditedFieldInWords, auditedValueInWords } from "#schema/audit-words.ts";
import type { Field, Fields } from "#schema/fields/field.ts";
import {
  auditedValuesOf,
  exampleOf,
  formValuesOf,
  labelsOf,
  rulesOf,
  storedOf,
  valuesOf,
} from "#schema/fields/field.ts";
import { nouns } from "#schema/fields/nouns.ts";
import type { Route } from "#api/v1/frame.ts";
import type { ReportSource } from "#api/staff/reports/report.ts";

const probe: Field = {
  label: "Probe Label",
  rule: string().required("Probe is required."),
  example: "a probe",
  report: { title: "Probe Column", width: 20 },
};

const schema = join(import.meta.dirname, "../../../schema");
const declarations = Object.entries<Fields>(nouns);

test("lists every noun that declares fields", () => {
  const files = readdirSync(join(schema, "fields")).filter((file) => !["field.ts", "nouns.ts"].includes(file));
  expect(files.map((file) => file.replace(".ts", "")).toSorted()).toEqual(Object.keys(nouns).toSorted());
});

describe.each(declarations)("field declaration of a %s", (_noun, declared) => {
  const fields: Fields = { ...declared, probe };
  const row = { ...exampleOf(fields) } as Record<string, string>;

  test("adds a new field to rules, labels, examples, forms and the audit log", () => {
    expect(rulesOf(fields).probe).toBe(probe.rule);
    expect(labelsOf(fields).probe).toBe("Probe Label");
    expect(exampleOf(fields).probe).toBe("a probe");
    expect(valuesOf(fields, { ...row, id: "1" })).toEqual(row);
    expect(formValuesOf(fields, null).probe).toBe("");
    expect(auditedValuesOf(fields, row).probe).toBe("a probe");
  });

  test("has examples its rules accept and audit labels consistent with other nouns", async () => {
    await expect(object(rulesOf(declared)).validate(exampleOf(declared))).resolves.toBeTruthy();
    for (const [name, field] of Object.entries(declared)) {
      for (const [property, label] of Object.entries(storedOf(name, field))) {
        expect(auditedFieldInWords(property)).toBe(label);
        if (field.list)
          expect(field.list.map((entry) => entry.label)).toContain(auditedValueInWords(property, field.example));
      }
    }
  });
});

describe("a new field in every noun", () => {
  let probed: readonly (readonly [noun: string, fields: Fields])[];
  let rules: unknown[];
  let routes: readonly Route[];
  let reports: readonly ReportSource[];
  let describeField: typeof auditedFieldInWords;

  beforeAll(async () => {
    vi.resetModules();
    for (const [noun] of declarations)
      vi.doMock(`#schema/fields/${noun}.ts`, async (importOriginal) => {
        const original: Record<string, unknown> = await importOriginal();
        const name = `${noun.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase())}Fields`;
        return { ...original, [name]: { ...(original[name] as Fields), probe } };
      });
    probed = Object.entries<Fields>((await import("#schema/fields/nouns.ts")).nouns);
    const files = readdirSync(join(schema, "rules"));
    const modules = await Promise.all(
      files.map((file) => import(join(schema, "rules", file)) as Promise<Record<string, unknown>>),
    );
    rules = modules.flatMap((exported) => Object.values(exported));
    ({ routes } = await import("#api/v1/routes.ts"));
    reports = Object.values((await import("#api/staff/reports/report-sources.ts")).reportSources);
    ({ auditedFieldInWords: describeField } = await import("#schema/audit-words.ts"));
  }, 60_000);

  afterAll(() => {
    for (const [noun] of declarations) vi.doUnmock(`#schema/fields/${noun}.ts`);
    vi.resetModules();
  });

  test("appears in the audit log", () => {
    expect(describeField("probe")).toBe("Probe Label");
  });

  test("appears in the noun's rules", () => {
    for (const [noun, fields] of probed) {
      const own = rules.filter((rule) => isRuleFor(fields, rule));
      expect([noun, own.length > 0]).toEqual([noun, true]);
      for (const rule of own) expect(rule).toHaveProperty("fields.probe", probe.rule);
    }
  });

  test("appears in the OpenAPI examples", () => {
    const documented = probed.filter(([, fields]) => {
      const own = routes.filter(({ body }) => isRuleFor(fields, body));
      if (own.length === 0) return false;
      expect(own).toContainEqual(
        expect.objectContaining({ bodyExample: expect.objectContaining({ probe: "a probe" }) as unknown }),
      );
      return true;
    });
    expect(documented.map(([noun]) => noun)).toEqual(expect.arrayContaining(["contact", "promo-code", "user"]));
  });

  test("appears in the noun's report", () => {
    const reported = probed.filter(([noun]) => Object.values(nouns[noun as keyof typeof nouns]).some(hasReport));
    expect(reported.map(([noun]) => noun)).toContain("contact");
    for (const [, fields] of reported) {
      const titles = Object.values(fields).flatMap(({ report }) => report?.title ?? []);
      const columns = reports.map((report) => report.columns("now()"));
      const own = columns.find((listed) => titles.every((title) => listed.some((column) => column.title === title)));
      expect(own).toContainEqual(
        expect.objectContaining({ title: "Probe Column", sql: expect.stringMatching(/^\w+\.probe$/) as string }),
      );
    }
  });
});

const hasReport = (field: Field) => Boolean(field.report);

/** Returns whether a rule consists of most of the fields' rules. Other rules reuse a few of them for another purpose. */
function isRuleFor(fields: Fields, rule: unknown): boolean {
  if (!(rule instanceof ObjectSchema)) return false;
  const shape = Object.values(rule.fields as Record<string, unknown>);
  const declared = Object.entries(fields).filter(([name]) => name !== "probe");
  return declared.filter(([, field]) => shape.includes(field.rule)).length > declared.length / 2;
}
