import { brand } from "#schema/brand.ts";
import { formatNumber } from "#schema/numbers.ts";
import { Button, defineEmail, Facts, Note, Paragraph } from "#api/messaging/emails/template.tsx";

/** Security events of one type and user. */
export interface SecurityAlertEvent {
  /** Label of the type. */
  readonly what: string;
  /** Name of the user concerned. */
  readonly user: string;
  readonly count: number;
  /** Time of the latest one. */
  readonly at: Date;
}

interface SecurityAlertData {
  readonly events: readonly SecurityAlertEvent[];
  /** Number of further groups of events that aren't listed. */
  readonly more: number;
}

/** Notifies an admin of security events that need attention. */
export const securityAlert = defineEmail<SecurityAlertData>({
  name: "security-alert",
  sample: ({ at }) => ({
    events: [
      { what: "Sign-in locked after wrong attempts", user: "Grace Hopper", count: 14, at },
      { what: "Role changed", user: "Alan Turing", count: 1, at },
    ],
    more: 2,
  }),
  subject: ({ events }) => `Security alert: ${events[0]?.what ?? "new events"}`,
  preview: ({ events }) => events.map(({ what, user }) => `${what}: ${user}`).join(". "),
  because: `you are an admin at ${brand.name}.`,
  heading: () => "Security alert",
  body: ({ events, more }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>Check whether you expected these events:</Paragraph>
      <Facts
        facts={events.map(({ what, user, count, at }) => [
          what,
          `${user}, ${dateTime(at)}${count > 1 ? `, ${formatNumber(count)} times` : ""}`,
        ])}
      />
      {more > 0 && <Paragraph>{formatNumber(more)} more are on the page.</Paragraph>}
      <Button href={`${publicUrl}/admin/security-events/`}>View security events</Button>
      <Note>You receive at most one of these emails every 15 minutes.</Note>
    </>
  ),
});
