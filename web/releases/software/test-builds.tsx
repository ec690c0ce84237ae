import { Button, Card, Group, SimpleGrid, Text, ThemeIcon } from "@mantine/core";
import { IconDownload, IconFlask } from "@tabler/icons-react";
import { getInstallerPath } from "#schema/software-stages.ts";
import type { MyAccountQuery } from "#web/generated/graphql.ts";
import { Section } from "#web/ui/page-layout.tsx";
import { formatInstaller } from "./format-installer.ts";
import { MailLink } from "#web/ui/mail-link.tsx";

/** Builds that testers can try before release; renders nothing if there are none. */
export function TestBuilds({ installers }: { installers: MyAccountQuery["installers"] | undefined }) {
  const tests = (installers ?? []).filter(({ stage }) => stage !== "PRODUCTION");
  if (tests.length === 0) return null;
  return (
    <Section title="Test builds">
      <Text c="dimmed" maw="46rem" mb="md">
        As a tester, you get these builds before their release. Please report problems to <MailLink to="support" />.
      </Text>
      <SimpleGrid component="ul" minColWidth="min(100%, 22rem)" m={0} p={0}>
        {tests.map((installer) => (
          <Card component="li" key={installer.stage}>
            <Group gap="sm">
              <ThemeIcon variant="light" size="lg" aria-hidden>
                <IconFlask size={20} stroke={1.7} />
              </ThemeIcon>
              <div>
                <Text fw={600} lh={1.4}>
                  {installer.stageLabel}
                </Text>
                <Text size="sm" c="dimmed">
                  Version {formatInstaller(installer)}
                </Text>
              </div>
              <Button
                component="a"
                href={getInstallerPath(installer.stage) ?? ""}
                download
                variant="default"
                ml="auto"
                leftSection={<IconDownload size={18} stroke={1.8} aria-hidden="true" />}
              >
                Download {installer.stageLabel}
              </Button>
            </Group>
          </Card>
        ))}
      </SimpleGrid>
    </Section>
  );
}
