/** A value that no field may trip over, as JSON text: some of them no `JSON.stringify` would write. */
export interface HostileValue {
  readonly name: string;
  readonly json: string;
}

const text = (name: string, value: string): HostileValue => ({ name, json: JSON.stringify(value) });

/** Whatever the type of the field. */
export const valuesForAll: readonly HostileValue[] = [
  { name: "null", json: "null" },
  { name: "true", json: "true" },
  { name: "zero", json: "0" },
  { name: "negative", json: "-1" },
  { name: "minus zero", json: "-0" },
  { name: "more than a double", json: "1e999" },
  { name: "almost more than a double", json: "1e308" },
  { name: "2^53 and one", json: "9007199254740993" },
  { name: "half", json: "1.5" },
  { name: "a list", json: '["a", 1, null]' },
  { name: "an empty list", json: "[]" },
  { name: "an object", json: "{}" },
  { name: "a comparison of NoSQL", json: '{"$ne": null, "$gt": ""}' },
  { name: "a prototype", json: '{"__proto__": {"admin": true}, "constructor": {"prototype": {"admin": true}}}' },
  { name: "an object that is no text", json: '{"toString": "x", "valueOf": 1, "length": 3}' },
  { name: "a list that is deep", json: "[".repeat(500) + "]".repeat(500) },
  { name: "a long list", json: `[${Array(5_000).fill("1").join(",")}]` },
  text("empty", ""),
  text("blank", " \t\u00a0\u2003"),
  text("NUL", "a\u0000b"),
  { name: "half of a pair", json: '"\\ud800 and \\udc00"' },
  text("written from right to left", "\u202egnp.exe\u202c"),
  text("emoji and what joins them", "👩‍💻👨‍👩‍👧🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
  text("without width", "a\u200b\u200c\u200d\ufeffb"),
  text("accents without end", `e${"\u0301".repeat(2_000)}`),
  text("other scripts", "ﷺ ẞ ı İ ſ ΐ 漢字 ١٢٣"),
  text("CRLF", "a\r\nSet-Cookie: session=1\r\n\r\n<html>"),
  text("SQL", "'; drop table users; --"),
  text("SQL that is true", "' or '1'='1' /*"),
  text("a backslash and quotes", "\\'\"`${}\\u0000"),
  text("a template", "{{7*7}} ${7*7} <%= 7*7 %> #{7*7} %s%n"),
  text("markup", "<script>alert(1)</script><img src=x onerror=alert(1)>"),
  text("a path", "../../../../etc/passwd"),
  text("a path of Windows", "C:\\Windows\\System32\\..\\..\\con.txt"),
  text("an address", "http://169.254.169.254/latest/meta-data/"),
  text("a formula", "=cmd|' /C calc'!A0"),
  text("NaN", "NaN"),
  text("Infinity", "-Infinity"),
  text("a number with letters", "0x1F 1e5"),
  text("30 February", "2025-02-30"),
  text("a year beyond", "+275760-09-13T00:00:00.001Z"),
  text("the year nought", "0000-00-00T25:61:61Z"),
  text("a UUID of nobody", "00000000-0000-4000-8000-000000000000"),
  text("a word of the prototype", "__proto__"),
  text("long", "x".repeat(60_000)),
  text("long, and slow to match", `${"a".repeat(30_000)}@${"a.".repeat(10_000)}!`),
];

/** A field as JSON Schema has it. */
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

/** At the bounds that a field's rule states, and just beyond them. */
export function valuesAtBounds(field: FieldSchema): HostileValue[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = field;
  const letters = (count: number) => text(`${count} characters`, "x".repeat(Math.max(0, count)));
  const number = (value: number) => ({ name: `the number ${value}`, json: String(value) });
  const items = (count: number) => ({
    name: `${count} items`,
    json: JSON.stringify(Array(Math.max(0, count)).fill("x")),
  });
  return [
    ...(minLength === undefined ? [] : [letters(minLength - 1), letters(minLength)]),
    ...(maxLength === undefined
      ? []
      : [letters(maxLength), letters(maxLength + 1), text("astral characters at the bound", "𝕏".repeat(maxLength))]),
    ...(minimum === undefined ? [] : [number(minimum - 1), number(minimum), number(minimum + 0.5)]),
    ...(maximum === undefined ? [] : [number(maximum), number(maximum + 1)]),
    ...(minItems === undefined ? [] : [items(minItems - 1)]),
    ...(maxItems === undefined ? [] : [items(maxItems), items(maxItems + 1)]),
    ...(field.enum?.length ? [text("another letter case", String(field.enum[0]).toUpperCase())] : []),
  ];
}

/** What no address may trip over, encoded as it goes over the wire; also with encodings that are wrong. */
export const hostileSegments: readonly string[] = [
  "00000000-0000-4000-8000-000000000000",
  "00000000-0000-0000-0000-00000000000G",
  "nonsense",
  "-1",
  "0",
  "1e999",
  "NaN",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "a%00b",
  "%00",
  "%",
  "%zz",
  "%ff%fe",
  "%c0%ae%c0%ae",
  "%ed%a0%80",
  "%u0041",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "..%5c..%5cwindows",
  "%27%20or%20%271%27=%271",
  "1%3b%20drop%20table%20users",
  "%24%7b7*7%7d%7b%7b7*7%7d%7d",
  "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
  "a%0d%0aSet-Cookie:%20x=1",
  "%e2%80%ae%f0%9f%98%80%e2%80%8b",
  "%7b%22$ne%22:null%7d",
  "a%2Fb",
  "a;b=c",
  "a%25252e",
  "x".repeat(250),
  "%41".repeat(600),
  encodeURIComponent("İſẞ漢字".repeat(20)),
];
