/** Settings of an S3-compatible bucket. */
export interface BucketSettings {
  readonly bucket: string;
  readonly region: string;
  /** URL without a trailing slash; null for AWS. */
  readonly endpoint: string | null;
  /** Null to use the AWS_* variables or the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

const bucketShape = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const SHAPE =
  "FILES_URL must look like s3://bucket?region=ap-southeast-2 or https://key:secret@host/bucket?region=auto.";

/**
 * Parses the URL of a bucket: `s3://[key:secret@]bucket?region=…` for AWS, or `https://[key:secret@]host/bucket[?region=…]`
 * for other services. Reserved characters in the key or secret must be percent-encoded.
 * @returns the settings, or error messages, which never include the URL because it may contain a secret
 */
export function parseBucketUrl(text: string, production: boolean): BucketSettings | readonly string[] {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAws = url?.protocol === "s3:";
  if (!url || (!isAws && url.protocol !== "https:" && url.protocol !== "http:")) return [SHAPE];
  const bucket = isAws ? url.hostname : url.pathname.replace(/^\/|\/$/g, "");
  const known = [...url.searchParams.keys()].every((name) => name === "region");
  if (!bucketShape.test(bucket) || !known || url.hash || (isAws && !["", "/"].includes(url.pathname))) return [SHAPE];
  const region = url.searchParams.get("region");
  if (isAws && !region) return ["FILES_URL must name the bucket's region, such as ?region=ap-southeast-2."];
  if (Boolean(url.username) !== Boolean(url.password))
    return ["FILES_URL must include both a key and a secret, or neither."];
  if (production && url.protocol === "http:") return ["FILES_URL must start with https:// or s3:// in production."];
  let credentials = null;
  try {
    if (url.username)
      credentials = {
        accessKeyId: decodeURIComponent(url.username),
        secretAccessKey: decodeURIComponent(url.password),
      };
  } catch {
    return [SHAPE];
  }
  return { bucket, region: region || "us-east-1", endpoint: isAws ? null : url.origin, credentials };
}
