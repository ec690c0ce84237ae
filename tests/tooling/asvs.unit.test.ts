import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Requirements of levels 1 and 2 of OWASP ASVS 5.0, by section. */
const sections = `
  1.1: 1-2 | 1.2: 1-9 | 1.3: 1-11 | 1.4: 1-3 | 1.5: 1-2 | 2.1: 1-3 | 2.2: 1-3 | 2.3: 1-4 | 2.4: 1 | 3.2: 1-2
  3.3: 1-4 | 3.4: 1-2 4-6 | 3.5: 1-5 | 3.7: 1-2 | 4.1: 1-3 | 4.2: 1 | 4.3: 1-2 | 4.4: 1-4 | 5.1: 1 | 5.2: 1-3
  5.3: 1-2 | 5.4: 1-3 | 6.1: 1-3 | 6.2: 1-12 | 6.3: 1-4 | 6.4: 1-4 | 6.5: 1-5 | 6.6: 2-3 | 6.8: 1-4 | 7.1: 1-3
  7.2: 1-4 | 7.3: 1-2 | 7.4: 1-5 | 7.5: 1-2 | 7.6: 1-2 | 8.1: 1-2 | 8.2: 1-3 | 8.3: 1 | 8.4: 1 | 9.1: 1-3 | 9.2: 1-4
  10.1: 1-2 | 10.2: 1-2 | 10.3: 1-4 | 10.4: 1-2 4-11 | 10.5: 1-5 | 10.6: 1-2 | 10.7: 1-3 | 11.1: 1-2 | 11.2: 1-3
  11.3: 1-3 | 11.4: 1-4 | 11.5: 1 | 11.6: 1 | 12.1: 1 3 | 12.2: 1-2 | 12.3: 1-4 | 13.1: 1 | 13.2: 1-5 | 13.3: 2
  13.4: 1-5 | 14.1: 1-2 | 14.2: 1-4 | 14.3: 1-3 | 15.1: 1-3 | 15.2: 1-3 | 15.3: 1-7 | 16.1: 1 | 16.2: 1-5 | 16.3: 1-4
  16.4: 1-3 | 16.5: 1-3 | 17.1: 1 | 17.2: 1-4 | 17.3: 1-2`;

const page = readFileSync("docs/security.md", "utf8");

/** Expands `6.2.1–6.2.3` to its three requirements. */
function readRequirements(text: string): string[] {
  return Array.from(text.matchAll(/(\d+\.\d+)\.(\d+)(?:–\d+\.\d+\.(\d+))?/g)).flatMap(([, section, first, last]) =>
    countFrom(Number(first), Number(last ?? first)).map((number) => `${section}.${number}`),
  );
}

const countFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test("lists each ASVS requirement of levels 1 and 2 once", () => {
  const required = [...sections.matchAll(/([\d.]+): ([\d -]*\d)/g)].flatMap(([, section, numbers = ""]) =>
    numbers.split(" ").flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      return countFrom(first, last).map((number) => `${section}.${number}`);
    }),
  );
  expect(required).toHaveLength(248);
  // The first column of the tables, and the lists above them.
  const places = page
    .split("\n")
    .filter((line) => !line.startsWith("|"))
    .concat(page.match(/^\| [^|]+/gm) ?? []);
  expect(places.flatMap(readRequirements).toSorted()).toEqual(required.toSorted());
});
