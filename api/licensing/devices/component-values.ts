import { createHash } from "node:crypto";
import { badInput } from "#api/platform/errors.ts";

/** Texts that firmware and operating systems report in place of a serial number, without spaces and punctuation. */
const FILLERS = new Set(
  `assetnumber assettag baseboardserialnumber boardserialnumber chassisassettag chassisserialnumber default
   defaultstring deadbeef empty error false fillbyoem filledbyoem invalid inspur insyde manufacturer na nil no none
   noassettag noassetinformation nodata normalstring notapplicable notassigned notavailable notpresent notprovided
   notset notsettable notspecified nosn null oem oemserial oemstring other partnumber placeholder productname reserved
   sample serial serialnumber sernum sku standard string systemmanufacturer systemproductname systemserialnumber
   systemuuid systemversion tbd test true undefined unknown unspecified uuid xxxxx
   03000200040005000006000700080009 fefefefefefefefefefefefefefefefe 0123456789abcdef 1234567890abcdef
   020000000000 444553540000 204153594eff 02004c4f4f50 005056c00001 005056c00008`.split(/\s+/),
);

/** Beginnings of longer fillers, such as "To be filled by O.E.M." and its variants. */
const FILLER_STARTS = ["tobefilled", "tobeset", "type1", "type2", "type3", "defaultstring", "notavailable"];

/** Values that add-ins hash when the machine reports nothing: fillers as firmware prints them, and runs of one character. */
const PRINTED = [
  ..."|\0| |\n|\r\n|0|null|None|undefined|Unknown|N/A|NA|Not Applicable".split("|"),
  ..."To be filled by O.E.M.|To Be Filled By O.E.M.|O.E.M.|OEM".split("|"),
  ..."Default string|Default String|System Serial Number|System Product Name".split("|"),
  ..."Base Board Serial Number|Chassis Serial Number|Serial Number|Not Specified|Not Available|Not Present".split("|"),
  ..."System manufacturer|Unspecified|Empty|Default|No Asset Tag|Asset Tag|OEM_Serial|Invalid".split("|"),
  ..."123456789|0123456789|1234567890|12345678|00:00:00:00:00:00|FF:FF:FF:FF:FF:FF".split("|"),
  ..."00000000-0000-0000-0000-000000000000|FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF".split("|"),
  "03000200-0400-0500-0006-000700080009",
  ...["0", "F"].flatMap((digit) => [8, 10, 12, 16, 20, 32].map((length) => digit.repeat(length))),
];

let hashesOfNothing: ReadonlySet<string> | undefined;

/** Returns the hashes of {@link PRINTED} in any letter case, in hexadecimal and base64, of UTF-8 and of .NET's UTF-16. */
function getHashesOfNothing(): ReadonlySet<string> {
  hashesOfNothing ??= new Set(
    [...new Set(PRINTED.flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()]))].flatMap((text) =>
      (["utf8", "utf16le"] as const).flatMap((encoding) =>
        ["md5", "sha1", "sha256", "sha384", "sha512"].flatMap((algorithm) => {
          const digest = createHash(algorithm).update(Buffer.from(text, encoding)).digest();
          return [digest.toString("hex"), digest.toString("base64"), digest.toString("base64url")];
        }),
      ),
    ),
  );
  return hashesOfNothing;
}

/** Hexadecimal digits, also in the form of a GUID, a MAC address or with `0x`. */
const HEXADECIMAL = /^(?:0x)?[{(]?[\da-f]+(?:[-: .][\da-f]+)*[)}]?$/i;
/** What add-ins send almost always: a digest without separators, which needs no search for punctuation. */
const DIGEST = /^[\da-f]{32,}$/;
/** One repeated character, or a single digit. */
const ONE_CHARACTER = /^(?:\d|(.)\1+)$/u;
/** Digits that count up or down, as on sample boards. */
const COUNTING = ["01234567890123456789", "98765432109876543210"];

/** Returns a hexadecimal value in lower case, or null for any other value. */
export function toHexadecimal(value: string): string | null {
  return HEXADECIMAL.test(value) ? value.toLowerCase() : null;
}

/** Normalises a fingerprint or component value for comparison: letter case matters only if it isn't hexadecimal. */
export function normaliseIdentityValue(value: string): string {
  const trimmed = value.trim();
  return toHexadecimal(trimmed) ?? trimmed;
}

/**
 * Returns whether a fingerprint or component value can tell machines apart. Empty values, the fillers of firmware, one
 * repeated character and hashes of any of these can't (docs/domain.md#device-identity).
 */
export function identifiesMachine(value: string): boolean {
  const compared = normaliseIdentityValue(value);
  const plain = DIGEST.test(compared) ? compared : removePunctuation(compared);
  if (plain === "" || ONE_CHARACTER.test(plain) || FILLERS.has(plain)) return false;
  if (FILLER_STARTS.some((start) => plain.startsWith(start))) return false;
  if (plain.length >= 4 && COUNTING.some((digits) => digits.includes(plain))) return false;
  const hashes = getHashesOfNothing();
  return !hashes.has(compared) && (plain === compared || !hashes.has(plain));
}

/** @throws AppError BAD_USER_INPUT if the fingerprint can't tell machines apart */
export function requireIdentifyingFingerprint({ fingerprint }: { readonly fingerprint: string }): void {
  if (identifiesMachine(fingerprint)) return;
  throw badInput({
    "machine.fingerprint": [
      "This fingerprint is the same on many machines. Send a hash of values that only this machine has.",
    ],
  });
}

/** Returns the letters and digits of a text that can be seen. Some fillers of Unicode count as letters. */
function removePunctuation(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^0x/, "")
    .replace(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, "");
}

/**
 * Returns the components that identify a machine, with normalised values, or null if there are none. Every comparison and
 * every stored component goes through this function.
 */
export function pickIdentifyingComponents(
  components: Readonly<Record<string, string>> | null | undefined,
): Record<string, string> | null {
  const entries = Object.entries(components ?? {}).flatMap(([name, value]): [string, string][] =>
    identifiesMachine(value) ? [[name, normaliseIdentityValue(value)]] : [],
  );
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
