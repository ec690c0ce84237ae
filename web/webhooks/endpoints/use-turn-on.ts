import { useRef } from "react";
import { useUpdateWebhookEndpointMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import type { ShownEndpoint } from "./webhook-words.ts";

/** Turns an endpoint on, once however often it is asked meanwhile; tells what came of it. */
export function useTurnOn(): (endpoint: ShownEndpoint) => Promise<void> {
  const [update] = useUpdateWebhookEndpointMutation();
  const running = useRef(false);
  return async ({ id, url, description, eventTypes }) => {
    if (running.current) return;
    running.current = true;
    notify.clearErrors();
    try {
      await update({ variables: { id, input: { url, description, eventTypes, enabled: true } } });
      notify.success("The endpoint is on. Events from now on are delivered to it.");
    } catch (error) {
      notify.failure(error, "Unable to turn the endpoint on.");
    }
    running.current = false;
  };
}
