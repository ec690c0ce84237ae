import { Link, useLocation } from "react-router-dom";
import { Alert, Box, Button, Card, type CardSectionProps, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { useTwoStepSignInQuery } from "#web/generated/graphql.ts";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { formatCount } from "#schema/numbers.ts";
import { notify } from "#web/platform/notifications.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { useTwoStepChange } from "./use-two-step-change.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { getHome } from "#web/platform/landing.ts";
import { paths } from "#web/platform/paths.ts";
import { readCameFrom } from "#web/platform/return-url.ts";
import { useSession } from "#web/platform/session.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { SecretOnceDialog } from "#web/ui/secret-once-dialog.tsx";

const row = {
  component: "li",
  withBorder: true,
  inheritPadding: true,
  py: "md",
} as const satisfies CardSectionProps & { component: "li" };

/**
 * Settings for two-step sign-in and its methods. `returnTo` is the page that an admin left to complete the required
 * setup. Without it, there is no link to continue.
 */
export function TwoStepSignIn({ returnTo }: { returnTo?: string }) {
  const query = useTwoStepSignInQuery({ fetchPolicy: "network-only" });
  const { data, refetch } = query;
  const openDialog = useOpenDialog();
  const state = useRef<HTMLParagraphElement>(null);
  const {
    onSince,
    isRequired = false,
    isPasskeyRequired = false,
    appAddedAt,
    passkeys = [],
    recoveryCodesLeft = 0,
  } = data?.twoStepSignIn ?? {};
  const isOn = onSince !== null && onSince !== undefined;
  const start = useTwoStepChange({
    methods: isOn ? { app: !!appAddedAt, passkey: passkeys.length > 0 } : null,
    isLast: Number(!!appAddedAt) + passkeys.length === 1,
    isRequired,
    isLastPasskeyRequired: isPasskeyRequired && passkeys.length === 1,
    onDone: finish,
  });

  if (!data)
    return (
      <Loaded
        query={query}
        failure="Unable to fetch your two-step sign-in settings."
        loading="Loading your two-step sign-in settings"
      />
    );
  const isMissing = isRequired && (!isOn || (isPasskeyRequired && passkeys.length === 0));

  /** Reports a completed change. Shows `recoveryCodes` first, if there are any. */
  async function finish(message: string, recoveryCodes: readonly string[] = []) {
    // The dialog is a part of this file's code, because codes that aren't shown are lost.
    if (recoveryCodes.length > 0) openDialog(async () => ({ default: RecoveryCodesDialog }), { codes: recoveryCodes });
    notify.success(message);
    await refetch().catch(() => undefined);
    // The pressed button may have disappeared with its row.
    if (recoveryCodes.length === 0) state.current?.focus();
  }

  return (
    <>
      <Stack component="section" gap="xs" align="flex-start" mb="lg" aria-label="State">
        <Text ref={state} tabIndex={-1} fz="1.0625rem" fw={600}>
          {isOn ? (
            <>
              Two-step sign-in has been on since <Moment at={onSince} as={formatDate} />.
            </>
          ) : (
            "Two-step sign-in is off."
          )}
        </Text>
        {isMissing ? (
          <Alert role="note" py="sm">
            {isPasskeyRequired
              ? "Admins must sign in with a passkey here. Add one to use the rest of the portal."
              : "Admins must use two-step sign-in here. Set it up to use the rest of the portal."}
          </Alert>
        ) : (
          <Text size="sm" c="dimmed">
            {isOn
              ? "You sign in with your password and one of these methods."
              : "It protects your account even if someone knows your password. Your current sessions stay signed in."}
          </Text>
        )}
        {returnTo && isRequired && !isMissing && (
          <Button component={Link} to={returnTo}>
            Continue
          </Button>
        )}
      </Stack>

      <Card component="ul" padding="lg" m={0} aria-label="Methods">
        <Card.Section {...row}>
          <MethodRow
            name="Authenticator app"
            facts={
              appAddedAt ? (
                <>
                  Added <Moment at={appAddedAt} as={formatDate} />
                </>
              ) : (
                "Six digits from an app on your phone."
              )
            }
          >
            <Button
              variant={isOn ? "default" : "filled"}
              onClick={() => start({ kind: "add-app", isChange: !!appAddedAt })}
            >
              {appAddedAt ? "Change app" : "Set up app"}
            </Button>
            {appAddedAt && (
              <Button variant="light" color="red" onClick={() => start({ kind: "remove-app" })}>
                Remove app
              </Button>
            )}
          </MethodRow>
        </Card.Section>
        <Card.Section {...row}>
          <MethodRow
            name="Passkeys"
            facts="Your fingerprint, face, screen lock or a security key. A passkey can sign you in without your password."
          >
            <Button variant="default" onClick={() => start({ kind: "add-passkey" })}>
              Add passkey
            </Button>
            {passkeys.length > 0 && (
              <Paper component="ul" withBorder m={0} p={0} px="md" flex="1 0 100%" aria-label="Passkeys">
                {passkeys.map((passkey) => (
                  <Box key={passkey.id} component="li" py="sm" display="block">
                    <Group justify="space-between" wrap="nowrap">
                      <Box miw={0} data-break="anywhere">
                        <Text size="sm" fw={600} id={`passkey-${passkey.id}`}>
                          {passkey.name}
                        </Text>
                        <Text size="sm" c="dimmed">
                          Added <Moment at={passkey.addedAt} as={formatDate} />
                          {passkey.lastUsedAt ? " · Last used " : " · Never used"}
                          {passkey.lastUsedAt && <Moment at={passkey.lastUsedAt} as={formatDate} />}
                        </Text>
                      </Box>
                      <Button
                        variant="light"
                        color="red"
                        size="xs"
                        aria-describedby={`passkey-${passkey.id}`}
                        onClick={() => start({ kind: "remove-passkey", passkey })}
                      >
                        Remove
                      </Button>
                    </Group>
                  </Box>
                ))}
              </Paper>
            )}
          </MethodRow>
        </Card.Section>
        {isOn && (
          <Card.Section {...row}>
            <MethodRow
              name="Recovery codes"
              facts={`${formatCount(recoveryCodesLeft, "code")} left.`}
              warns={recoveryCodesLeft < 3}
            >
              <Button variant="default" onClick={() => start({ kind: "renew-codes" })}>
                Create new codes
              </Button>
            </MethodRow>
          </Card.Section>
        )}
      </Card>
      {isOn && (
        <Button color="red" variant="light" mt="lg" onClick={() => start({ kind: "turn-off" })}>
          Turn off
        </Button>
      )}
    </>
  );
}

function RecoveryCodesDialog({ codes, ...dialog }: DialogControl & { codes: readonly string[] }) {
  return (
    <SecretOnceDialog
      {...dialog}
      title="Your recovery codes"
      secret={codes}
      label="Recovery codes"
      successMessage="Your recovery codes have been copied to clipboard."
      doneLabel="I have saved my codes"
      file={{
        name: "recovery-codes.txt",
        content: `Recovery codes for ${brand.name}\nEach code works once, in place of your app or passkey.\n\n${codes.join("\n")}\n`,
      }}
      before={
        <>
          <p>
            Save these ten codes somewhere you can reach without your phone. Each works once, in place of your app or
            passkey.
          </p>
          <p>
            <b>Save the codes now. You won't see them again.</b>
          </p>
        </>
      }
    />
  );
}

/** A method with its name, status and actions. */
function MethodRow(props: { name: string; facts: ReactNode; warns?: boolean; children: ReactNode }) {
  const { name, facts, warns = false, children } = props;
  return (
    <Group justify="space-between">
      <div>
        <Title order={2} fz="1rem" lh={1.3}>
          {name}
        </Title>
        <Text size="sm" c={warns ? "red" : "dimmed"} fw={warns ? 560 : undefined}>
          {facts}
        </Text>
      </div>
      {children}
    </Group>
  );
}

/** Page for two-step sign-in, for customers and admins. */
export default function TwoStepSignInPage() {
  const role = useSession()?.claims.role;
  const { state } = useLocation();
  return (
    <PageLayout
      title={paths.twoStepSignIn.title}
      lead="Protect your account with your password and something only you have."
      width="form"
      back={{ to: paths.security.href(), label: "Security" }}
    >
      <TwoStepSignIn returnTo={readCameFrom(state) ?? getHome(role).href()} />
    </PageLayout>
  );
}
