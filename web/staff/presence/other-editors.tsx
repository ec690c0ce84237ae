import { useEffect, useEffectEvent, useState } from "react";
import { createRequestKey } from "#web/billing/request-key.ts";
import { useReportOpenFormMutation } from "#web/generated/graphql.ts";
import { Callout } from "#web/ui/callout.tsx";

/** Pause between heartbeats while the tab is visible, in milliseconds. */
const BEAT_MS = 20_000;
/** Pause between heartbeats of a background tab, in milliseconds. Browsers allow no shorter one. */
const HIDDEN_BEAT_MS = 60_000;

/** Says which other admins have the details form of a user open. Shows nothing while nobody else does, or while offline. */
export function OtherEditors({ userId }: { userId: string }) {
  const names = useOtherEditors(userId);
  return (
    <div role="status">
      {names.length > 0 && (
        <Callout tone="notice">
          <p>
            <b>{joinNames(names)}</b> also {names.length === 1 ? "has" : "have"} this form open.
          </p>
        </Callout>
      )}
    </div>
  );
}

/** Sends heartbeats while mounted. The caller remounts it for another user. */
function useOtherEditors(userId: string): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  const [report] = useReportOpenFormMutation();
  const send = useEffectEvent((tabId: string, isOpen: boolean) =>
    report({ variables: { userId, tabId, isOpen }, fetchPolicy: "no-cache" }),
  );

  useEffect(() => {
    const tabId = createRequestKey();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastSentAt = 0;
    let isClosed = false;

    async function beat() {
      lastSentAt = Date.now();
      // The next heartbeat tries again, so a failed one is not worth a message.
      const result = await send(tabId, true).catch(() => null);
      const others = result?.data?.reportOpenForm;
      if (isClosed) return;
      if (others) setNames(others.map(({ name }) => name));
      schedule();
    }
    function schedule() {
      clearTimeout(timer);
      const pauseMs = document.hidden ? HIDDEN_BEAT_MS : BEAT_MS;
      timer = setTimeout(() => void beat(), Math.max(0, lastSentAt + pauseMs - Date.now()));
    }

    void beat();
    document.addEventListener("visibilitychange", schedule);
    return () => {
      isClosed = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", schedule);
      void send(tabId, false).catch(() => undefined);
    };
  }, []);

  return names;
}

function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat("en-AU").format(names);
}
