import { getReaderTimeZone } from "#schema/dates.ts";
import { postGraphql } from "./post-graphql.ts";
import type { Session } from "./session.ts";
import { browserStorage } from "./storage.ts";
import operation from "./store-time-zone.graphql?operation";

/** Key in local storage of the user and the time zone that were sent last. A sign-out removes it. */
const KEY = "xer-portal.time-zone";

/** Sends the browser's time zone, in which the user gets emails, once after each sign-in and again when it changes. */
export async function storeTimeZone({ accessToken, claims, isView, isEnded }: Session): Promise<void> {
  const timeZone = getReaderTimeZone();
  const sent = `${claims.id} ${timeZone}`;
  if (isView || isEnded || browserStorage.get(KEY) === sent) return;
  try {
    await postGraphql(operation, { input: { timeZone } }, accessToken);
    browserStorage.set(KEY, sent);
  } catch {
    // The next page sends it again.
  }
}
