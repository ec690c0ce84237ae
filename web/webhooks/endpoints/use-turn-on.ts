import { useRef } from "react";
import { useUpdateWebhookEndpointMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import type { ShownEndpoint } from "./webhook-labels.ts";

/** Returns a function that turns an endpoint on and shows the result. Ignores further calls while it runs. */
export function useTurnOn(): (endpoint: ShownEndpoint) => Promise<void> {
  const [update] = useUpdateWebhookEndpointMutation();
  const isRunning = useRef(false);
  return async ({ id, url, description, eventTypes }) => {
    if (isRunning.current) return;
    isRunning.current = true;
    notify.clearErrors();
    try {
      await update({ variables: { id, input: { url, description, eventTypes, enabled: true } } });
      notify.success("The endpoint is on and receives events from now on.");
    } catch (error) {
      notify.failure(error, "Unable to turn the endpoint on.");
    }
    isRunning.current = false;
  };
}
