import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, Paragraph, orNull } from "#api/messaging/emails/template.tsx";

/** Notifies the owners that a user's staff roles changed. */
export const staffRolesChanged = defineEmail({
  name: "staff-roles-changed",
  sample: ({ at }) => ({
    userId: "4f0e3c5e-6a3c-4a4f-9b55-0c6f6c3a2b11",
    /** The user whose roles changed. */
    name: "Grace Hopper",
    email: "grace@example.com",
    /** Roles before and after the change, as text. */
    was: "Support",
    is: "Support, Finance",
    /** Name and address of the owner who made the change. Null for a change by the system. */
    by: orNull("Ada Byron (ada@example.com)"),
    at,
  }),
  subject: ({ name }) => `The staff roles of ${name} changed at ${brand.name}`,
  preview: ({ was, is }) => `From ${was} to ${is}.`,
  because: `you are an owner at ${brand.name}.`,
  heading: () => "Staff roles changed",
  body: ({ userId, name, email, was, is, by, at }, { publicUrl, dateTime }) => (
    <>
      <Facts
        facts={[
          ["User", `${name} (${email})`],
          ["Before", was],
          ["Now", is],
          ...(by ? [["Changed by", by] as const] : []),
          ["Changed", dateTime(at)],
        ]}
      />
      <Paragraph>If nobody in your team meant to do this, open the user and correct the roles immediately.</Paragraph>
      <Button href={`${publicUrl}/admin/update-user/${userId}/`}>Open the user</Button>
    </>
  ),
});
