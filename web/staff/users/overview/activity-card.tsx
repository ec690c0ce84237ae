import { Button } from "@mantine/core";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { FactGrid } from "#web/ui/fact-cards.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { Moment } from "#web/ui/moment.tsx";
import type { Overview } from "./overview-tab.tsx";

/** A user's last sign-in and the last licence check of their devices. */
export function ActivityCard({ overview: { user, userSummary } }: { overview: Overview }) {
  const { lastSignInAt, lastDeviceAt } = userSummary;
  return (
    <Section
      title="Activity"
      actions={
        <ForStaffRole has="support">
          <Button
            component={Link}
            size="sm"
            variant="default"
            to={`${paths.updateUser.href({ id: user.id })}?tab=sign-in`}
          >
            Sessions
          </Button>
        </ForStaffRole>
      }
    >
      <FactGrid
        facts={[
          ["Last sign-in", lastSignInAt ? <Moment key="sign-in" at={lastSignInAt} /> : "Never"],
          ...(user.memberType === "ADMIN"
            ? []
            : [["Last licence check", lastDeviceAt ? <Moment key="device" at={lastDeviceAt} /> : "Never"] as const]),
        ]}
        minWidth="13rem"
      />
    </Section>
  );
}
