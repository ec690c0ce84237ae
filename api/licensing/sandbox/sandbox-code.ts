import { type SandboxCode, sandboxCodes, sandboxPrefix } from "#schema/sandbox-codes.ts";
import { normaliseLicenceCode } from "#api/licensing/licences/licence-code.ts";

const byCode = new Map(sandboxCodes.map((code) => [code.licenceCode, code]));

/** Typed, not written: what is dropped stands before the first letter. */
const beginsWithS = /^[\W_]*s/i;

/**
 * Whether a licence code, as it came, is one of the sandbox's. Asked of every question, so that almost all codes cost no
 * more than a look at how they begin.
 */
export function isSandboxCode(typed: string): boolean {
  if (typed.startsWith(sandboxPrefix)) return true;
  return beginsWithS.test(typed) && normaliseLicenceCode(typed).startsWith(sandboxPrefix);
}

/** What a well-formed code of the sandbox answers; undefined for one that is not in its table. */
export function findSandboxCode(licenceCode: string): SandboxCode | undefined {
  return byCode.get(licenceCode);
}
