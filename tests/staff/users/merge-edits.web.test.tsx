import { expect, test } from "vitest";
import { mergeEdits } from "#web/ui/form/merge-edits.ts";
import { maskedAbn } from "#web/staff/users/user-fields.tsx";

const base = { firstName: "Ada", companyName: "Engines", isTester: false, machines: [{ name: "A" }] };

test("what only they changed is taken, what only I changed is kept, what both changed alike is no question", () => {
  const mine = { ...base, firstName: "Augusta", isTester: true };
  const theirs = { ...base, companyName: "Engines Ltd", isTester: true };
  expect(mergeEdits(base, mine, theirs)).toEqual({
    values: { firstName: "Augusta", companyName: "Engines Ltd", isTester: true, machines: [{ name: "A" }] },
    contested: [],
    taken: ["companyName"],
  });
});

test("what both changed differently keeps mine and waits to be chosen", () => {
  const mine = { ...base, firstName: "Augusta", machines: [] };
  const theirs = { ...base, firstName: "Anne", machines: [{ name: "A" }, { name: "B" }] };
  expect(mergeEdits(base, mine, theirs)).toEqual({
    values: { ...base, firstName: "Augusta", machines: [] },
    contested: ["firstName", "machines"],
    taken: [],
  });
});

test("a field that is missing and one that is empty are alike", () => {
  const empty: { companyName?: string | undefined } = { companyName: undefined };
  expect(mergeEdits({ companyName: "" }, empty, { companyName: "Engines" }).taken).toEqual(["companyName"]);
});

test.each([
  ["5", "5"],
  ["51824", "51 824"],
  ["51-824-753-556", "51 824 753 556"],
  ["518247535561", "51 824 753 556"],
  ["", ""],
])("the mask of an ABN makes %j of %j", (typed, shown) => {
  expect(maskedAbn(typed)).toBe(shown);
});
