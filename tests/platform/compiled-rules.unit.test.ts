import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { type AnyObjectSchema, array, boolean, date, number, object, string } from "yup";
import { compileRules, undecided } from "#api/platform/compiled-rules.ts";
import { check, examine } from "#api/platform/validate.ts";
import { exampleRequest } from "#api/platform/http/route-examples.ts";
import { contactFormRules } from "#schema/contact-form.ts";
import { newContactRules } from "#schema/contact.ts";
import { moment } from "#schema/moment.ts";
import { activateRules, heartbeatRules, usageRules, validateRules } from "#schema/protocol.ts";
import { pageRules } from "#schema/text.ts";

const nested = object({
  count: number().integer().min(1).default(20),
  flag: boolean().strict().typeError("Must be true or false."),
  at: moment("Required."),
  day: date().nullable(),
  list: array()
    .of(object({ name: string().trim().min(2).required() }))
    .max(2),
  inner: object({ text: string().default("none") }),
  optional: object({ text: string().required() }).default(undefined),
});

const request = {
  ...exampleRequest,
  machineToken: "token",
  features: ["schedule"],
  leaseId: "6f1c1b6e-7f0e-4c5e-9c57-0d4f3f3c7f11",
  events: [{ id: "conv-000181", kind: "conversion", atUtc: "2025-03-05T00:59:30.000Z" }],
};
const person = {
  name: "Ada Byron",
  firstName: "Ada",
  lastName: "Byron",
  email: "ada@example.com",
  phone: "0400 000 000",
};

const rules: readonly (readonly [AnyObjectSchema, Record<string, unknown>])[] = [
  [activateRules, request],
  [heartbeatRules, request],
  [usageRules, request],
  [validateRules, request],
  [newContactRules, { ...person, userId: "1", contactType: 2 }],
  [contactFormRules, { ...person, message: "Do you sell to schools?" }],
  [pageRules, { first: 5 }],
  [
    nested,
    { count: "3", flag: true, at: "2026-02-28", list: [{ name: " Ada " }], inner: {}, optional: { text: "Ada" } },
  ],
];

const texts = ["", "Ada", "  Ada  ", "ada@example.com", "ＡＤＡ", "0400 000 000", "a\u0000b", "x".repeat(300)];
const others = [
  undefined,
  null,
  0,
  1,
  -1,
  2.5,
  "7",
  "1e3",
  true,
  false,
  "true",
  {},
  { a: "b" },
  [],
  [1],
  ["Ada"],
  [null],
];
const times = ["2026-02-28", "2026-02-30", "2026-11-29T10:00:00Z", "1999", new Date(0)];

interface Description {
  readonly type?: string;
  readonly oneOf?: readonly unknown[];
  readonly fields?: Readonly<Record<string, Description>>;
  readonly innerType?: Description;
}

type Pick = <One>(from: readonly One[]) => One;

/** Returns a value that a field may or may not accept. */
function inventValue(field: Description, pick: Pick): unknown {
  if (field.type === "object" && pick([true, true, true, false])) return inventObject(field, pick);
  if (field.type === "array" && pick([true, true, false]))
    return [1, 2].map(() => inventValue(field.innerType ?? {}, pick));
  if (field.oneOf?.length && pick([true, true, true, false])) return pick(field.oneOf);
  const likely = field.type === "string" ? texts : field.type === "date" ? times : others;
  return pick([...likely, ...likely, ...likely, ...texts, ...times, ...others]);
}

const inventObject = ({ fields = {} }: Description, pick: Pick) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inventValue(field, pick)]));

function examineSafely(rule: AnyObjectSchema, values: Record<string, unknown>): unknown {
  try {
    return examine(rule, values);
  } catch {
    return undecided;
  }
}

test("casts the values that it decides about as yup does", () => {
  // Lehmer's generator, so that a failure can be repeated.
  let seed = 45;
  const pick: Pick = (from) => from[(seed = (seed * 48_271) % 2_147_483_647) % from.length] as never;
  const different: unknown[] = [];
  let decided = 0;
  for (const [rule, valid] of rules) {
    const compiled = compileRules(rule);
    const { fields = {} } = rule.describe() as Description;
    for (let round = 0; round < 60; round++) {
      const [name, field] = pick(Object.entries(fields));
      const values = { ...valid, [name]: round === 0 ? valid[name] : inventValue(field, pick) };
      const [result, expected] = [compiled?.(values), examineSafely(rule, values)];
      if (result !== undecided) decided++;
      if (result !== undecided && !isDeepStrictEqual(result, expected))
        different.push({ name, values, result, expected });
    }
  }
  expect(different).toEqual([]);
  expect(decided).toBeGreaterThan(100);
});

test("decides about the requests of the add-in", () => {
  expect(compileRules(validateRules)?.(request)).toEqual(examine(validateRules, request));
  expect(compileRules(activateRules)?.(request)).toEqual(examine(activateRules, request));
});

test("leaves rules whose fields depend on each other to yup", () => {
  const rule = object({
    kind: string(),
    size: number().when("kind", ([kind], size) => (kind === "big" ? size.min(10) : size)),
  });
  expect(compileRules(rule)).toBe(null);
  expect(check(rule, { kind: "small", size: 1 })).toEqual({ kind: "small", size: 1 });
  expect(() => check(rule, { kind: "big", size: 1 })).toThrow();
});
