import { erasureEffectLabels } from "#api/platform/database/personal-data.ts";
import { brand } from "#schema/brand.ts";
import { formatNumber } from "#schema/numbers.ts";
import { defineEmail, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

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

interface AccountDeletedData {
  readonly at: Date;
  readonly certificate: Certificate;
}

/** The last email to a user whose account was deleted, with the certificate of the erasure. */
export const accountDeleted = defineEmail<AccountDeletedData>({
  name: "account-deleted",
  sample: ({ at }) => ({
    at,
    certificate: {
      id: "5b0c4c0e-6d5c-4a39-9d52-0f6f0c1f9a11",
      userId: "8c1de1a8-0a5b-4b8c-9f0e-2a7f7f1d4c55",
      requestedBy: "customer",
      requestedAt: at.toISOString(),
      finishedAt: new Date(at.getTime() + 95_000).toISOString(),
      emailHash: "0a4d55a8d778e5022fab701977c5d840bbc486d0b3d5c9c5f6f2d3d7d6f2a1b0",
      erased: [
        { name: "profile", title: "Profile", effect: "anonymized", rows: 1 },
        { name: "sessions", title: "Sessions", effect: "deleted", rows: 4 },
        { name: "licence-events", title: "Licence events", effect: "anonymized", rows: 400_637 },
      ],
      kept: [
        {
          title: "Tax invoices and adjustment notes",
          rows: 3,
          reason: "Australian tax law requires us to keep them unchanged for 5 years.",
        },
      ],
    },
  }),
  subject: () => `Your ${brand.name} account was deleted`,
  preview: () => "Your personal data has been erased and your licences have ended.",
  because: `this address belonged to an account at ${brand.name}.`,
  heading: () => "Your account was deleted",
  body: ({ at, certificate }, { dateTime }) => (
    <>
      <Paragraph>
        {certificate.requestedBy === "customer" ? "As you requested, your account" : "Your account"} was closed on{" "}
        {dateTime(at)}. You are signed out everywhere, your licences have ended, and your personal data was erased by{" "}
        {dateTime(new Date(certificate.finishedAt))}.
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
});

function Lines({ lines }: { lines: readonly string[] }) {
  return (lines.length === 0 ? ["Nothing."] : lines).map((line) => (
    <span key={line}>
      {line}
      <br />
    </span>
  ));
}
