import { erasureEffectLabels } from "#api/platform/personal-data.ts";
import { brand } from "#schema/brand.ts";
import { formatNumber } from "#schema/numbers.ts";
import { formatSellerDateTime, type EmailTemplate } from "./email-template.ts";
import { Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

/** Proof of an erasure without personal data. Dates are ISO 8601 in UTC. */
export interface Certificate {
  readonly id: string;
  readonly userId: string;
  readonly requestedBy: string;
  readonly requestedAt: string;
  readonly finishedAt: string;
  /** Salted SHA-256 of the email address; null when the account was closed by an older release. */
  readonly emailHash: string | null;
  readonly erased: readonly CertificateEntry[];
  readonly kept: readonly KeptEntry[];
}

export interface CertificateEntry {
  readonly name: string;
  readonly title: string;
  readonly effect: "deleted" | "anonymized";
  readonly rows: number;
}

export interface KeptEntry {
  readonly title: string;
  readonly rows: number;
  readonly reason: string;
}

export interface AccountDeletedData {
  readonly firstName: string;
  readonly at: Date;
  readonly certificate: Certificate;
}

/** The last email to a user whose account was deleted, with the certificate of the erasure. */
export const accountDeleted: EmailTemplate<AccountDeletedData> = {
  subject: () => `Your ${brand.name} account was deleted`,
  preview: () => "Your personal data has been erased and your licences have ended.",
  because: `You're receiving this email because this address belonged to an account at ${brand.name}.`,
  body: ({ firstName, at, certificate }) => (
    <>
      <Heading>Your account was deleted</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        {certificate.requestedBy === "customer" ? "As you requested, your account" : "Your account"} was closed on{" "}
        {formatSellerDateTime(at)}. You are signed out everywhere, your licences have ended, and your personal data was
        erased by {formatSellerDateTime(new Date(certificate.finishedAt))}.
      </Paragraph>
      <Paragraph>Certificate {certificate.id}. We erased:</Paragraph>
      <Paragraph>
        <Lines
          lines={certificate.erased
            .filter(({ rows }) => rows > 0)
            .map(({ title, effect, rows }) => `${title}: ${formatNumber(rows)} ${erasureEffectLabels[effect]}`)}
        />
      </Paragraph>
      <Paragraph>We have kept the following, because the law or the protection of others requires it:</Paragraph>
      <Paragraph>
        <Lines
          lines={certificate.kept
            .filter(({ rows }) => rows > 0)
            .map(({ title, rows, reason }) => `${title}: ${formatNumber(rows)}. ${reason}`)}
        />
      </Paragraph>
      <Note>
        If you didn't request this, email us today: <Support />
      </Note>
    </>
  ),
};

function Lines({ lines }: { lines: readonly string[] }) {
  return (lines.length === 0 ? ["Nothing."] : lines).map((line) => (
    <span key={line}>
      {line}
      <br />
    </span>
  ));
}
