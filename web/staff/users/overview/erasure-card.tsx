import { Button, List, Progress, Stack, Text, Title } from "@mantine/core";
import { findLabel, toValue } from "#schema/closed-list.ts";
import { erasureEffects, erasureRequesters } from "#schema/erasure.ts";
import { formatNumber } from "#schema/numbers.ts";
import type { ErasureQuery, UserHeaderFieldsFragment } from "#web/generated/graphql.ts";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import { FactGrid } from "#web/ui/fact-cards.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { useErasure } from "#web/staff/users/erase-button.tsx";

type Erasure = NonNullable<ErasureQuery["erasure"]>;
type Certificate = NonNullable<Erasure["certificate"]>;

/** The progress of the erasure of a user, and then its certificate. Renders nothing for other users. */
export function ErasureCard({ user }: { user: Pick<UserHeaderFieldsFragment, "id" | "isActive"> }) {
  const { erasure } = useErasure(user);
  if (!erasure) return null;
  const { certificate, progress, requestedBy, requestedAt } = erasure;
  const done = progress.filter(({ isDone }) => isDone).length;
  return (
    <Section
      title="Erasure"
      actions={
        certificate && (
          <Button size="sm" variant="default" onClick={() => saveCertificate(certificate, user.id, requestedBy)}>
            Download Certificate
          </Button>
        )
      }
    >
      <Stack gap="md">
        <FactGrid
          facts={[
            ["Requested", <Moment key="at" at={requestedAt} />],
            ["Requested by", findLabel(erasureRequesters, requestedBy)],
            ["Finished", certificate ? <Moment key="end" at={certificate.finishedAt} /> : "Running"],
          ]}
          minWidth="13rem"
        />
        {certificate ? (
          <CertificateText certificate={certificate} />
        ) : (
          <div role="status">
            <Progress value={(done / Math.max(1, progress.length)) * 100} aria-label="Erased" mb="xs" />
            <Text fz="sm" c="dimmed">
              {done} of {progress.length} kinds of data are erased.
            </Text>
          </div>
        )}
      </Stack>
    </Section>
  );
}

function CertificateText({ certificate: { id, emailHash, erased, kept } }: { certificate: Certificate }) {
  return (
    <div>
      <Title order={3} size="h4" mb="xs">
        Certificate
      </Title>
      <Text fz="sm" c="dimmed" data-break="anywhere">
        {id}. {emailHash ? `Hash of the address: ${emailHash}` : "The address wasn't known any more."}
      </Text>
      <List spacing={4} fz="sm" mt="sm" aria-label="Erased and kept">
        {erased
          .filter(({ rows }) => rows > 0)
          .map(({ name, title, effect, rows }) => (
            <List.Item key={name}>
              {title}: {formatNumber(rows)} {findLabel(erasureEffects, effect).toLowerCase()}
            </List.Item>
          ))}
        {kept
          .filter(({ rows }) => rows > 0)
          .map(({ title, rows, reason }) => (
            <List.Item key={title}>
              {title}: {formatNumber(rows)} kept. {reason}
            </List.Item>
          ))}
      </List>
    </div>
  );
}

/** Saves the certificate as JSON, as the command `erase-user --json` prints it. */
function saveCertificate(
  { id, requestedAt, finishedAt, emailHash, erased, kept }: Certificate,
  userId: string,
  requestedBy: Erasure["requestedBy"],
): void {
  const certificate = {
    id,
    userId,
    requestedBy: toValue(erasureRequesters, requestedBy),
    requestedAt,
    finishedAt,
    emailHash,
    erased: erased.map(({ name, title, effect, rows }) => ({
      name,
      title,
      effect: toValue(erasureEffects, effect),
      rows,
    })),
    kept: kept.map(({ title, rows, reason }) => ({ title, rows, reason })),
  };
  saveAsFile(`erasure-${id}.json`, `${JSON.stringify(certificate, null, 2)}\n`, "application/json");
}
