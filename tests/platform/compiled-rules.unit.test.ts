import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { type AnyObjectSchema, array, boolean, date, number, object, string } from "yup";
import { compileRules, undecided } from "#api/platform/compiled-rules.ts";
import { check, examine } from "#api/platform/validate.ts";
import { exampleRequest } from "#api/v1/examples.ts";
import { registerRules } from "#schema/account.ts";
import { contactFormRules } from "#schema/contact-form.ts";
import { newContactRules } from "#schema/contact.ts";
import { moment } from "#schema/moment.ts";
import { promoCodeRules } from "#schema/promo-code.ts";
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

const rules: Readonly<Record<string, AnyObjectSchema>> = {
  activateRules,
  heartbeatRules,
  usageRules,
  validateRules,
  registerRules,
  newContactRules,
  contactFormRules,
  promoCodeRules,
  pageRules,
  nested,
};

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

test("decides about all values that yup accepts, and casts them in the same way", () => {
  // Lehmer's generator, so that a failure can be repeated.
  let seed = 45;
  const pick: Pick = (from) => from[(seed = (seed * 48_271) % 2_147_483_647) % from.length] as never;
  const different: unknown[] = [];
  let accepted = 0;
  for (const [name, rule] of Object.entries(rules)) {
    const compiled = compileRules(rule);
    const description = rule.describe() as Description;
    for (let round = 0; round < 200; round++) {
      const values = inventObject(description, pick);
      const [result, expected] = [compiled?.(values), examineSafely(rule, values)];
      if (expected !== undecided) accepted++;
      if (!isDeepStrictEqual(result, expected)) different.push({ name, values, result, expected });
    }
  }
  expect(different).toEqual([]);
  expect(accepted).toBeGreaterThan(100);
});

test("decides about the requests of the add-in", () => {
  const request = { ...exampleRequest, machineToken: "token", features: ["schedule"] };
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
