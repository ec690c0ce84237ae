import { IconDownload, IconFlask } from "@tabler/icons-react";
import { brand } from "#schema/brand.ts";
import { getInstallerPath, testStages } from "#schema/catalogue.ts";
import type { MyAccountQuery } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { formatInstaller } from "./format-installer.ts";
import classes from "./test-builds.module.css";

/** Builds that testers can try before release; renders nothing if there are none. */
export function TestBuilds({ installers }: { installers: MyAccountQuery["installers"] | undefined }) {
  const tests = (installers ?? []).filter(({ stage }) => testStages.includes(stage));
  if (tests.length === 0) return null;
  const { support } = brand.mailboxes;
  return (
    <Section title="Test builds">
      <p className={classes.lead}>
        As a tester, you get these builds before their release. Please report problems to{" "}
        <a href={`mailto:${support.email}`}>{support.email}</a>.
      </p>
      <ul className={classes.builds}>
        {tests.map((installer) => (
          <li key={installer.stage} className={classes.build}>
            <span className={classes.icon} aria-hidden="true">
              <IconFlask size={20} stroke={1.7} />
            </span>
            <span className={classes.what}>
              <b>{installer.stageLabel}</b>
              <span>Version {formatInstaller(installer)}</span>
            </span>
            <LinkButton href={getInstallerPath(installer.stage) ?? ""} download variant="default">
              <IconDownload size={18} stroke={1.8} aria-hidden="true" />
              Download {installer.stageLabel}
            </LinkButton>
          </li>
        ))}
      </ul>
    </Section>
  );
}
