import { createHash, verify, X509Certificate } from "node:crypto";
// `toLegacyObject` in a process that hasn't loaded this module leaves it without `createSecureContext` (Node 24).
import "node:tls";
import {
  Attribute,
  CMSVersion,
  ContentInfo,
  DigestAlgorithmIdentifier,
  DigestAlgorithmIdentifiers,
  EncapsulatedContentInfo,
  SignatureAlgorithmIdentifier,
  SignerIdentifier,
} from "@peculiar/asn1-cms";
import { AsnArray, AsnConvert, AsnProp, AsnPropTypes, AsnType, AsnTypeTypes, OctetString } from "@peculiar/asn1-schema";
import { AlgorithmIdentifier } from "@peculiar/asn1-x509";
import type { InstallerSignature } from "#schema/software-upload.ts";
import { type EmbeddedSignature, SignatureError, withSignature } from "./pe-signature.ts";

// Identifiers from RFC 5652 and "Windows Authenticode Portable Executable Signature Format".
const SIGNED_DATA = "1.2.840.113549.1.7.2";
const INDIRECT_DATA = "1.3.6.1.4.1.311.2.1.4";
const CONTENT_TYPE = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const CODE_SIGNING = "1.3.6.1.5.5.7.3.3";
/** Hashes that Windows still trusts. SHA-1 isn't one of them. */
const hashes: Readonly<Record<string, string>> = {
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};
const MAX_CERTIFICATES = 20;

@AsnType({ type: AsnTypeTypes.Set, itemType: Attribute })
class Attributes extends AsnArray<Attribute> {}

/** SignerInfo of RFC 5652 that keeps the exact bytes of the signed attributes, which Authenticode requires. */
class SignerInfo {
  @AsnProp({ type: AsnPropTypes.Integer })
  version = CMSVersion.v1;
  @AsnProp({ type: SignerIdentifier })
  sid = new SignerIdentifier();
  @AsnProp({ type: DigestAlgorithmIdentifier })
  digestAlgorithm = new DigestAlgorithmIdentifier();
  @AsnProp({ type: AsnPropTypes.Any })
  signedAttributes = new ArrayBuffer(0);
  @AsnProp({ type: SignatureAlgorithmIdentifier })
  signatureAlgorithm = new SignatureAlgorithmIdentifier();
  @AsnProp({ type: OctetString })
  signature = new OctetString();
  @AsnProp({ type: AsnPropTypes.Any, optional: true })
  unsignedAttributes?: ArrayBuffer;
}

/** SignedData of RFC 5652 that keeps each certificate's exact bytes. */
class SignedData {
  @AsnProp({ type: AsnPropTypes.Integer })
  version = CMSVersion.v1;
  @AsnProp({ type: DigestAlgorithmIdentifiers })
  digestAlgorithms = new DigestAlgorithmIdentifiers();
  @AsnProp({ type: EncapsulatedContentInfo })
  encapContentInfo = new EncapsulatedContentInfo();
  @AsnProp({ type: AsnPropTypes.Any, repeated: "set", context: 0, implicit: true, optional: true })
  certificates: ArrayBuffer[] = [];
  @AsnProp({ type: AsnPropTypes.Any, repeated: "set", context: 1, implicit: true, optional: true })
  crls: ArrayBuffer[] = [];
  @AsnProp({ type: SignerInfo, repeated: "set" })
  signerInfos: SignerInfo[] = [];
}

class DigestInfo {
  @AsnProp({ type: AlgorithmIdentifier })
  digestAlgorithm = new AlgorithmIdentifier();
  @AsnProp({ type: OctetString })
  digest = new OctetString();
}

class IndirectData {
  @AsnProp({ type: AsnPropTypes.Any })
  data = new ArrayBuffer(0);
  @AsnProp({ type: DigestInfo })
  messageDigest = new DigestInfo();
}

/**
 * Checks the Authenticode signature of an installer: its hash, the signature over it, and the certificates up to the highest
 * one in the file. Doesn't check that Windows trusts the highest certificate, nor revocations or time stamps. Reads files
 * that aren't Windows programs as unsigned.
 */
export async function readInstallerSignature(path: string): Promise<InstallerSignature> {
  try {
    return await withSignature(path, async (found) => (found ? await checkSignature(found) : { state: "unsigned" }));
  } catch (error) {
    if (error instanceof SignatureError) return { state: "broken", problem: error.message };
    // The ASN.1 library throws errors of several classes for malformed input.
    if (isFileError(error)) throw error;
    return { state: "broken", problem: "It is malformed." };
  }
}

const isFileError = (error: unknown) => typeof (error as NodeJS.ErrnoException | undefined)?.syscall === "string";

async function checkSignature({ pkcs7, hash }: EmbeddedSignature): Promise<InstallerSignature> {
  const info = AsnConvert.parse(trimPadding(pkcs7), ContentInfo);
  if (info.contentType !== SIGNED_DATA) throw new SignatureError("It isn't a PKCS #7 signature.");
  const { encapContentInfo, certificates, signerInfos } = AsnConvert.parse(info.content, SignedData);
  const content = encapContentInfo.eContent?.any;
  const [signer, ...others] = signerInfos;
  if (encapContentInfo.eContentType !== INDIRECT_DATA || !content || !signer || others.length > 0)
    throw new SignatureError("It isn't an Authenticode signature.");

  const { messageDigest } = AsnConvert.parse(content, IndirectData);
  const fileDigest = await hash(findHash(messageDigest.digestAlgorithm));
  if (!fileDigest.equals(Buffer.from(messageDigest.digest.buffer)))
    throw new SignatureError("The file was changed after it was signed.");

  const algorithm = findHash(signer.digestAlgorithm);
  const signed = Buffer.from(signer.signedAttributes.slice(0));
  if (signed[0] !== 0xa0) throw new SignatureError("It has no signed attributes.");
  // The signature covers the attributes as a SET instead of the context tag.
  signed[0] = 0x31;
  const attributes = new Map(
    AsnConvert.parse(signed, Attributes).map(({ attrType, attrValues }) => [attrType, attrValues]),
  );
  const [type, digest] = [attributes.get(CONTENT_TYPE)?.[0], attributes.get(MESSAGE_DIGEST)?.[0]];
  const signedDigest = digest && Buffer.from(AsnConvert.parse(digest, OctetString).buffer);
  const contentDigest = createHash(algorithm)
    .update(getContentBytes(Buffer.from(content)))
    .digest();
  if (!type || !signedDigest || !signedDigest.equals(contentDigest))
    throw new SignatureError("Its content doesn't match the signature.");

  if (certificates.length > MAX_CERTIFICATES) throw new SignatureError("It has too many certificates.");
  const all = certificates.map((der) => readCertificate(Buffer.from(der)));
  const signature = Buffer.from(signer.signature.buffer);
  const serial = Buffer.from(signer.sid.issuerAndSerialNumber?.serialNumber ?? new ArrayBuffer(0)).toString("hex");
  const own = all.find(
    (one) => isSameNumber(one.serialNumber, serial) && verify(algorithm, signed, one.publicKey, signature),
  );
  if (!own) throw new SignatureError("No certificate in it matches the signature.");
  if (!own.keyUsage?.includes(CODE_SIGNING)) throw new SignatureError("Its certificate isn't for signing programs.");
  return {
    state: "signed",
    signer: getName(own),
    certificates: buildChain(own, all).map(({ fingerprint256 }) => fingerprint256.replaceAll(":", "").toLowerCase()),
    validUntil: own.validToDate.toISOString(),
  };
}

/** Reads a certificate. OpenSSL repairs some malformed ones, and its fingerprint would then be of other bytes. */
function readCertificate(der: Buffer): X509Certificate {
  const certificate = new X509Certificate(der);
  if (!certificate.raw.equals(der)) throw new SignatureError("A certificate in it is malformed.");
  return certificate;
}

function findHash({ algorithm }: AlgorithmIdentifier): string {
  const found = hashes[algorithm];
  if (!found) throw new SignatureError("Its hash isn't SHA-256, SHA-384 or SHA-512.");
  return found;
}

const isSameNumber = (one: string, other: string) =>
  one.toLowerCase().replace(/^0+/, "") === other.toLowerCase().replace(/^0+/, "");

/** Returns the certificate and the authorities above it. Each one's signature over the one before is verified. */
function buildChain(own: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain = [own];
  for (let last: X509Certificate | undefined = own; last; ) {
    const current: X509Certificate = last;
    last = all.find(
      (one) => !chain.includes(one) && one.ca && current.checkIssued(one) && current.verify(one.publicKey),
    );
    if (last) chain.push(last);
  }
  return chain;
}

/** Returns the organisation of a certificate, or its common name. */
function getName(certificate: X509Certificate): string {
  const { O: organisation, CN: commonName } = certificate.toLegacyObject().subject as Record<string, unknown>;
  const name = [organisation, commonName].flat().find((one) => typeof one === "string" && one.trim() !== "");
  return typeof name === "string" ? name.trim().slice(0, 200) : "an unnamed signer";
}

/** Removes the zeros after a DER value that fill its table up to a multiple of 8 bytes. */
function trimPadding(bytes: Buffer): Buffer {
  const { headerBytes, contentBytes } = readDerLength(bytes);
  const end = headerBytes + contentBytes;
  if (end > bytes.length || bytes.length - end >= 8 || bytes.subarray(end).some((byte) => byte !== 0))
    throw new SignatureError("Its length is wrong.");
  return bytes.subarray(0, end);
}

function getContentBytes(der: Buffer): Buffer {
  const { headerBytes, contentBytes } = readDerLength(der);
  return der.subarray(headerBytes, headerBytes + contentBytes);
}

/** Reads the length of a DER value. Indefinite lengths, which DER forbids, and values above 16 MB are refused. */
function readDerLength(der: Buffer): { headerBytes: number; contentBytes: number } {
  const first = der[1] ?? 0;
  if (first < 0x80) return { headerBytes: 2, contentBytes: first };
  const lengthBytes = first - 0x80;
  if (lengthBytes < 1 || lengthBytes > 3 || der.length < 2 + lengthBytes) throw new SignatureError("It is malformed.");
  return { headerBytes: 2 + lengthBytes, contentBytes: der.readUIntBE(2, lengthBytes) };
}
