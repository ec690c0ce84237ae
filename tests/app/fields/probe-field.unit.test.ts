import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type GraphQLNamedType, isInputObjectType } from "graphql";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { object, ObjectSchema, string } from "yup";
import { entityFields, formatAuditedValue, labelAuditedField } from "#schema/audit.ts";
import {
  type Field,
  type Fields,
  getAuditedValues,
  getExample,
  getFormValues,
  getLabels,
  getRules,
  getStoredProperties,
  pickFields,
} from "#schema/field.ts";
import type { Route } from "#api/platform/http/define-route.ts";
import type { ReportSource } from "#api/staff/reports/report.ts";

const probe: Field = {
  label: "Probe Label",
  rule: string().required("Probe is required."),
  example: "a probe",
  report: { title: "Probe Column", width: 20 },
};

const schema = join(import.meta.dirname, "../../../schema");
const files = readdirSync(schema).filter((file) => file.endsWith(".ts"));
const declarations = Object.entries<Fields>(entityFields);

test("lists every noun that declares fields", () => {
  const nouns = files.filter((file) => readFileSync(join(schema, file), "utf8").includes("= defineFields("));
  expect(nouns.map((file) => file.replace(".ts", "")).toSorted()).toEqual(Object.keys(entityFields).toSorted());
});

describe.each(declarations)("field declaration of a %s", (_noun, declared) => {
  const fields: Fields = { ...declared, probe };
  const row = { ...getExample(fields) } as Record<string, string>;

  test("adds a new field to rules, labels, examples, forms and the audit log", () => {
    expect(getRules(fields).probe).toBe(probe.rule);
    expect(getLabels(fields).probe).toBe("Probe Label");
    expect(getExample(fields).probe).toBe("a probe");
    expect(pickFields(fields, { ...row, id: "1" })).toEqual(row);
    expect(getFormValues(fields, null).probe).toBe("");
    expect(getAuditedValues(fields, row).probe).toBe("a probe");
  });

  test("has examples that its rules accept and audit labels that match the other nouns' labels", async () => {
    await expect(object(getRules(declared)).validate(getExample(declared))).resolves.toBeTruthy();
    for (const [name, field] of Object.entries(declared)) {
      for (const [property, label] of Object.entries(getStoredProperties(name, field))) {
        expect(labelAuditedField(property)).toBe(label);
        if (field.list)
          expect(field.list.map((entry) => entry.label)).toContain(formatAuditedValue(property, field.example));
      }
    }
  });
});

describe("a new field in every noun", () => {
  let probed: readonly (readonly [noun: string, fields: Fields])[];
  let rules: unknown[];
  let schemaTypes: Readonly<Record<string, GraphQLNamedType>>;
  let routes: readonly Route[];
  let reports: readonly ReportSource[];
  let describeField: typeof labelAuditedField;

  beforeAll(async () => {
    vi.resetModules();
    vi.doMock("#schema/field.ts", async (importOriginal) => ({
      ...(await importOriginal<object>()),
      defineFields: (fields: Fields) => ({ ...fields, probe }),
    }));
    probed = Object.entries<Fields>((await import("#schema/audit.ts")).entityFields);
    const modules = await Promise.all(
      files.map((file) => import(join(schema, file)) as Promise<Record<string, unknown>>),
    );
    rules = modules.flatMap((exported) => Object.values(exported));
    schemaTypes = (await import("#api/app/graphql-schema.ts")).buildGraphqlSchema().getTypeMap();
    ({ routes } = await import("#api/v1/routes.ts"));
    reports = Object.values((await import("#api/staff/reports/report-sources.ts")).reportSources);
    ({ labelAuditedField: describeField } = await import("#schema/audit.ts"));
  }, 60_000);

  afterAll(() => {
    vi.doUnmock("#schema/field.ts");
    vi.resetModules();
  });

  test("appears in the audit log, and in the noun's rules and a GraphQL input", () => {
    expect(describeField("probe")).toBe("Probe Label");
    for (const [noun, fields] of probed) {
      const own = rules.filter((rule) => isRuleFor(fields, rule));
      expect([noun, own.length > 0]).toEqual([noun, true]);
      for (const rule of own) expect(rule).toHaveProperty("fields.probe", probe.rule);
    }
    const inputs = Object.values(schemaTypes).filter(isInputObjectType);
    const takesAll = (fields: Fields) =>
      inputs.some((input) => Object.keys(fields).every((name) => name in input.getFields()));
    expect(probed.filter(([, fields]) => !takesAll(fields)).map(([noun]) => noun)).toEqual([]);
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
    const reported = probed.filter(([noun]) =>
      Object.values(entityFields[noun as keyof typeof entityFields]).some(hasReport),
    );
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
