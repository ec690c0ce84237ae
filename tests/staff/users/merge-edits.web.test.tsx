import { expect, test } from "vitest";
import { mergeEdits } from "#web/ui/concurrent-edits/use-merged-edits.ts";
import { formatAbnInput } from "#web/staff/users/user-fields.tsx";

const base = { firstName: "Ada", companyName: "Engines", isTester: false, machines: [{ name: "A" }] };

test("merges changes by either side, and accepts equal changes by both sides", () => {
  const mine = { ...base, firstName: "Augusta", isTester: true };
  const theirs = { ...base, companyName: "Engines Ltd", isTester: true };
  expect(mergeEdits(base, mine, theirs)).toEqual({
    values: { firstName: "Augusta", companyName: "Engines Ltd", isTester: true, machines: [{ name: "A" }] },
    contested: [],
    taken: ["companyName"],
  });
});

test("keeps my value and reports a conflict if both sides changed a field differently", () => {
  const mine = { ...base, firstName: "Augusta", machines: [] };
  const theirs = { ...base, firstName: "Anne", machines: [{ name: "A" }, { name: "B" }] };
  expect(mergeEdits(base, mine, theirs)).toEqual({
    values: { ...base, firstName: "Augusta", machines: [] },
    contested: ["firstName", "machines"],
    taken: [],
  });
});

test("treats missing and empty fields as equal", () => {
  const empty: { companyName?: string | undefined } = { companyName: undefined };
  expect(mergeEdits({ companyName: "" }, empty, { companyName: "Engines" }).taken).toEqual(["companyName"]);
});

test("formats an ABN while it is typed", () => {
  const typed = ["5", "51824", "51-824-753-556", "518247535561", "５１\u3000８２４", ""];
  expect(typed.map(formatAbnInput)).toEqual(["5", "51 824", "51 824 753 556", "51 824 753 556", "51 824", ""]);
});
