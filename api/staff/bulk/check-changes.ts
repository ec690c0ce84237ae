import { query } from "#api/platform/database/database.ts";
import {
  isWellFormedLicenceCode,
  normaliseLicenceCode,
  parseSupportCode,
} from "#api/licensing/licences/licence-code.ts";
import type { CheckRows, NamedRow } from "./check-rows.ts";
import { type LicenceFacts, planLicenceRow, selectLicenceFacts } from "./plan-licence-change.ts";
import type { CheckedRow } from "./store-rows.ts";

interface ReadCode {
  readonly kind: "support" | "licence" | "none" | "unreadable";
  readonly code: string;
  readonly column: string;
}

/** Finds the licences listed in a file and plans the change of each. */
export const checkChanges: CheckRows = async (context, em, run, rows) => {
  const codes = rows.map(readCode);
  const licences = await query<LicenceFacts>(
    em,
    `${selectLicenceFacts} where l.support_code = any($1)
     union ${selectLicenceFacts} where l.licence_code = any($2)`,
    [
      codes.filter(({ kind }) => kind === "support").map(({ code }) => code),
      codes.filter(({ kind }) => kind === "licence").map(({ code }) => code),
    ],
  );
  const byCode = new Map(
    licences.flatMap((one) => [
      [one.supportCode, one],
      [one.licenceCode, one],
    ]),
  );
  const now = context.clock.now();
  return rows.map((row, at): CheckedRow => {
    const { kind, code, column } = codes[at] as ReadCode;
    const licence = byCode.get(code);
    const planned = licence
      ? planLicenceRow(run, licence, now, column)
      : { label: formatUnknownCode(kind, code), says: "", faults: [{ column, message: messages[kind] }] };
    return { ...planned, rowNumber: row.rowNumber, faults: [...row.faults, ...planned.faults] };
  });
};

const messages: Readonly<Record<ReadCode["kind"], string>> = {
  support: "No licence has this support code.",
  licence: "No licence has this licence code.",
  none: "A support code or a licence code is required.",
  unreadable: "This is neither a support code nor a licence code.",
};

/** Reads the code of a row. Both columns accept both kinds of code, and the support code column takes precedence. */
function readCode({ values }: NamedRow): ReadCode {
  const column = values.supportCode ? "Support code" : "Licence code";
  const typed = values.supportCode || values.licenceCode || "";
  if (typed === "") return { kind: "none", code: "", column: "Support code" };
  const support = parseSupportCode(typed);
  if (support) return { kind: "support", code: support, column };
  const code = normaliseLicenceCode(typed.slice(0, 100));
  return isWellFormedLicenceCode(code)
    ? { kind: "licence", code, column }
    : { kind: "unreadable", code: typed.slice(0, 100).toWellFormed(), column };
}

/** Formats an unknown code. Licence codes are secret, so only the last characters are shown. */
function formatUnknownCode(kind: ReadCode["kind"], code: string): string {
  if (kind === "support") return code;
  return code.length > 12 ? `…${code.slice(-5).toWellFormed()}` : code;
}
