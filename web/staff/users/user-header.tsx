import { Badge } from "@mantine/core";
import { findLabel, memberTypes } from "#schema/catalogue.ts";
import type { UserHeaderFieldsFragment } from "#web/generated/graphql.ts";
import classes from "./user-form.module.css";

/** Shows a user's name, company, type and status on one line. */
export function UserHeader({ user }: { user: UserHeaderFieldsFragment }) {
  const { firstName, lastName, companyName, memberType, isActive, emailConfirmed, cancellationPendingSince } = user;
  return (
    <div className={classes.header}>
      <b>
        {firstName} {lastName}
      </b>
      {companyName && <span>{companyName}</span>}
      <Badge>{findLabel(memberTypes, memberType)}</Badge>
      <Badge color={isActive ? "spruce" : "red"}>{isActive ? "Active" : "Archived"}</Badge>
      {cancellationPendingSince && <Badge color="red">Subscription cancellation pending</Badge>}
      {!emailConfirmed && <Badge color="marigold">Email not confirmed</Badge>}
    </div>
  );
}
