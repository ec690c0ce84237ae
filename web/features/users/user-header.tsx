import { Badge } from "@mantine/core";
import { labelOf, memberTypes } from "#schema/catalogue.ts";
import type { UserHeaderFieldsFragment } from "#web/generated/graphql.ts";
import classes from "./user-form.module.css";

/** Whose page it is: name, company, type and state, in one line. */
export function UserHeader({ user }: { user: UserHeaderFieldsFragment }) {
  const { firstName, lastName, companyName, memberType, isActive, emailConfirmed } = user;
  return (
    <div className={classes.whose}>
      <b>
        {firstName} {lastName}
      </b>
      {companyName && <span>{companyName}</span>}
      <Mark>{labelOf(memberTypes, memberType)}</Mark>
      <Mark color={isActive ? undefined : "red"}>{isActive ? "Active" : "Archived"}</Mark>
      {!emailConfirmed && <Mark color="marigold">Email not confirmed</Mark>}
    </div>
  );
}

function Mark({ color, children }: { color?: string | undefined; children: string }) {
  return (
    <Badge variant="light" radius="sm" tt="none" fw={600} fz="0.75rem" {...(color ? { color } : {})}>
      {children}
    </Badge>
  );
}
