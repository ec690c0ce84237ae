/** A hostile field value as JSON text, because `JSON.stringify` can't produce some of them. */
export interface HostileValue {
  readonly name: string;
  readonly json: string;
}

const text = (name: string, value: string): HostileValue => ({ name, json: JSON.stringify(value) });

/** Values for fields of any type. */
export const commonValues: readonly HostileValue[] = [
  { name: "null", json: "null" },
  { name: "zero", json: "0" },
  { name: "negative", json: "-1" },
  { name: "larger than a double", json: "1e999" },
  { name: "2^53 + 1", json: "9007199254740993" },
  { name: "fraction", json: "1.5" },
  { name: "a list", json: '["a", 1, null]' },
  { name: "a NoSQL operator", json: '{"$ne": null, "$gt": ""}' },
  { name: "a prototype", json: '{"__proto__": {"admin": true}, "constructor": {"prototype": {"admin": true}}}' },
  { name: "a deeply nested list", json: "[".repeat(500) + "]".repeat(500) },
  { name: "a long list", json: `[${Array(5_000).fill("1").join(",")}]` },
  text("empty", ""),
  text("blank", " \t\u00a0\u2003"),
  text("NUL", "a\u0000b"),
  { name: "lone surrogates", json: '"\\ud800 and \\udc00"' },
  text("right-to-left text", "\u202egnp.exe\u202c"),
  text("zero-width characters", "a\u200b\u200c\u200d\ufeffb"),
  text("2,000 accents", `e${"\u0301".repeat(2_000)}`),
  text("CRLF", "a\r\nSet-Cookie: session=1\r\n\r\n<html>"),
  text("SQL", "'; drop table users; --"),
  text("a backslash and quotes", "\\'\"`${}\\u0000"),
  text("markup", "<script>alert(1)</script><img src=x onerror=alert(1)>"),
  text("a path", "../../../../etc/passwd"),
  text("a formula", "=cmd|' /C calc'!A0"),
  text("NaN", "NaN"),
  text("30 February", "2025-02-30"),
  text("a year out of range", "+275760-09-13T00:00:00.001Z"),
  text("a prototype property", "__proto__"),
  text("long", "x".repeat(60_000)),
  text("long, and slow to match", `${"a".repeat(30_000)}@${"a.".repeat(10_000)}!`),
];

/** The parts of a JSON Schema field that the tests read. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
}

/** Builds values at the limits of a field's rule and just beyond them. */
export function buildBoundaryValues(field: FieldSchema): HostileValue[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = field;
  const letters = (count: number) => text(`${count} characters`, "x".repeat(Math.max(0, count)));
  const number = (value: number) => ({ name: `the number ${value}`, json: String(value) });
  const items = (n: number) => ({ name: `${n} items`, json: JSON.stringify(Array(Math.max(0, n)).fill("x")) });
  return [
    ...(minLength === undefined ? [] : [letters(minLength - 1), letters(minLength)]),
    ...(maxLength === undefined
      ? []
      : [letters(maxLength), letters(maxLength + 1), text("astral characters at the limit", "𝕏".repeat(maxLength))]),
    ...(minimum === undefined ? [] : [number(minimum - 1), number(minimum), number(minimum + 0.5)]),
    ...(maximum === undefined ? [] : [number(maximum), number(maximum + 1)]),
    ...(minItems === undefined ? [] : [items(minItems - 1)]),
    ...(maxItems === undefined ? [] : [items(maxItems), items(maxItems + 1)]),
    ...(field.enum?.length ? [text("another letter case", String(field.enum[0]).toUpperCase())] : []),
  ];
}

/** Hostile path segments, encoded as sent. Some encodings are invalid. */
export const hostileSegments: readonly string[] = [
  "00000000-0000-4000-8000-000000000000",
  "00000000-0000-0000-0000-00000000000G",
  "nonsense",
  "__proto__",
  "a%00b",
  "%",
  "%ff%fe",
  "%ed%a0%80",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "%27%20or%20%271%27=%271",
  "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
  "a%0d%0aSet-Cookie:%20x=1",
  "%e2%80%ae%f0%9f%98%80%e2%80%8b",
  "a%2Fb",
  "x".repeat(250),
  "%41".repeat(600),
  encodeURIComponent("İſẞ漢字".repeat(20)),
];
