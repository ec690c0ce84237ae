import { DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import type { Decision, Reason } from "#clients/reference/decision.ts";
import type { Unanswered } from "#clients/reference/http.ts";
import type { NetworkName } from "./scenario-networks.ts";
import type { ClockName, DeviceName, LicenceName, World } from "./scenario-world.ts";

/** Decision expected from the add-in. */
export interface Expected {
  readonly canRun: boolean;
  readonly reason: Reason;
  readonly resultCode?: number;
  readonly unanswered?: Unanswered;
  readonly warnings?: readonly string[];
  readonly features?: readonly string[];
  /** Time it may run from now without another answer, in milliseconds. */
  readonly lasts?: number;
}
export type Row = readonly [LicenceName, DeviceName, NetworkName, ClockName, Does, Expected];

const everything = ["schedule", "health-checks", "costs", "resources"];

const runs = (lasts: number, more: Partial<Expected> = {}): Expected => ({
  canRun: true,
  reason: "answered",
  resultCode: 1,
  features: everything,
  lasts,
  ...more,
});
const carriesOn = (unanswered: Unanswered, lasts: number, more: Partial<Expected> = {}) =>
  runs(lasts, { reason: "grace", unanswered, ...more });
const stops = (resultCode: number, more: Partial<Expected> = {}): Expected => ({
  canRun: false,
  reason: "refused",
  resultCode,
  ...more,
});
const ends = (reason: Reason, unanswered?: Unanswered): Expected => ({
  canRun: false,
  reason,
  ...(unanswered ? { unanswered } : {}),
});

export const acts = {
  activates: ({ client, licenceCode }: World) => client.activate(licenceCode),
  starts: ({ client }: World) => client.start(),
  "requests costs": ({ client }: World) => client.start(["schedule", "costs"]),
  "takes a seat": ({ client }: World) => client.lease(),
  "borrows a seat": ({ client }: World) => client.lease({ borrowHours: 24 }),
  "keeps its seat": ({ client }: World) => client.heartbeat(),
} satisfies Record<string, (world: World) => Promise<Decision>>;
type Does = keyof typeof acts;

const skewed = { warnings: ["CLOCK_SKEW"] };
const halfAnHour = 30 * MINUTE;

/** Networks in which an activated device gets no answer that it trusts, by the reason. */
const unanswering: readonly (readonly [Unanswered, readonly NetworkName[]])[] = [
  ["unreachable", ["refused", "hanging", "proxy 407"]],
  ["garbage", ["cut off", "portal page", "portal 401", "portal 400", "redirect", "truncated", "empty"]],
  ["garbage", ["null", "wrong shape", "gzip bomb"]],
  ["busy", ["503", "503 for an hour", "429", "500"]],
  ["unknown-token", ["JSON 401"]],
  ["forged", ["stranger's key", "unknown key", "alg none", "alg HS256", "access token's type"]],
  ["forged", ["licence file's type", "access token", "another nonce", "another machine"]],
];

// Licence, device, network, clock, action of the add-in, expected decision.
export const table: readonly Row[] = [
  // Licences and devices with a normal request.
  ["active", "new", "online", "correct", "activates", runs(14 * DAY)],
  ["active", "new", "online", "correct", "starts", ends("not-activated")],
  ["active", "known", "online", "correct", "starts", runs(14 * DAY)],
  ["active", "known", "online", "correct", "activates", runs(14 * DAY)],
  ["active", "known", "online", "correct", "requests costs", runs(14 * DAY)],
  ["trial", "new", "online", "correct", "activates", runs(DAY)],
  ["trial", "known", "online", "correct", "starts", runs(DAY)],
  ["trial", "that already had a trial", "online", "correct", "activates", stops(40)],
  ["used up", "new", "online", "correct", "activates", stops(41)],
  ["used up", "known", "online", "correct", "starts", stops(41)],
  ["expiring", "new", "online", "correct", "activates", runs(3 * DAY, { warnings: ["EXPIRING_SOON"] })],
  ["expiring", "known", "online", "correct", "starts", runs(3 * DAY, { warnings: ["EXPIRING_SOON"] })],
  ["overdue", "known", "online", "correct", "starts", runs(14 * DAY, { warnings: ["PAYMENT_OVERDUE"] })],
  ["expired", "new", "online", "correct", "activates", stops(14)],
  ["expired", "known", "online", "correct", "starts", stops(14)],
  ["suspended", "new", "online", "correct", "activates", stops(13)],
  ["suspended", "known", "online", "correct", "starts", stops(13)],
  ["revoked", "new", "online", "correct", "activates", stops(12)],
  ["revoked", "known", "online", "correct", "starts", stops(12)],
  ["archived", "new", "online", "correct", "activates", stops(11)],
  ["archived", "known", "online", "correct", "starts", stops(11)],
  ["unknown", "new", "online", "correct", "activates", stops(10)],
  ["unknown", "known", "online", "correct", "starts", stops(10)],
  ["standard", "known", "online", "correct", "starts", runs(14 * DAY, { features: ["schedule"] })],
  ["standard", "known", "online", "correct", "requests costs", runs(14 * DAY, { features: ["schedule"] })],
  ["downgraded", "known", "online", "correct", "requests costs", runs(14 * DAY, { features: ["schedule"] })],
  ["no features", "known", "online", "correct", "starts", runs(14 * DAY, { features: [] })],
  ["active", "drifted", "online", "correct", "starts", runs(14 * DAY)],
  ["active", "copied", "online", "correct", "starts", stops(23)],
  ["active", "copied", "online", "correct", "activates", stops(22)],
  ["active", "freed", "online", "correct", "starts", stops(21)],
  ["active", "freed", "online", "correct", "activates", runs(14 * DAY)],
  ["active", "blocked", "online", "correct", "starts", stops(20)],
  ["active", "blocked", "online", "correct", "activates", stops(20)],
  ["active", "virtual", "online", "correct", "starts", stops(24)],
  ["virtual allowed", "virtual", "online", "correct", "starts", runs(14 * DAY)],
  ["active", "over the limit", "online", "correct", "activates", stops(22)],
  ["active", "with a licence file", "online", "correct", "starts", runs(14 * DAY)],
  ["active", "with another device's token", "online", "correct", "starts", stops(23)],
  ["active", "with a token for another licence", "online", "correct", "starts", stops(21)],
  ["active", "with an unknown token", "online", "correct", "starts", runs(14 * DAY)],
  // Networks without an answer.
  ...unanswering.flatMap(([reason, names]) =>
    names.map((name): Row => ["active", "known", name, "correct", "starts", carriesOn(reason, 14 * DAY)]),
  ),
  ["active", "known", "503 once", "correct", "starts", runs(14 * DAY)],
  ["active", "known", "429 once", "correct", "starts", runs(14 * DAY)],
  ["active", "new", "refused", "correct", "activates", ends("not-activated", "unreachable")],
  ["active", "new", "portal page", "correct", "activates", ends("not-activated", "garbage")],
  ["active", "drifted", "refused", "correct", "starts", ends("kept-for-another-machine", "unreachable")],
  ["active", "copied", "refused", "correct", "starts", ends("kept-for-another-machine", "unreachable")],
  ["active", "freed", "refused", "correct", "starts", carriesOn("unreachable", 14 * DAY)],
  ["active", "with an unknown token", "hanging", "correct", "starts", carriesOn("unreachable", 14 * DAY)],
  ["suspended", "known", "503", "correct", "starts", carriesOn("busy", 14 * DAY)],
  ["trial", "known", "refused", "20 minutes later", "starts", carriesOn("unreachable", DAY - 20 * MINUTE)],
  ["trial", "known", "refused", "a day later", "starts", ends("grace-ended", "unreachable")],
  // Networks that manipulate answers.
  ["suspended", "known", "no proof", "correct", "starts", carriesOn("garbage", 14 * DAY)],
  ["suspended", "known", "changed data", "correct", "starts", carriesOn("forged", 14 * DAY)],
  ["suspended", "known", "tampered proof", "correct", "starts", carriesOn("forged", 14 * DAY)],
  ["suspended", "known", "replayed", "correct", "starts", carriesOn("forged", 14 * DAY)],
  ["active", "known", "replayed", "past grace", "starts", ends("grace-ended", "forged")],
  ["expired", "known", "changed data", "past grace", "starts", ends("grace-ended", "forged")],
  ["expired", "new", "tampered proof", "correct", "activates", ends("not-activated", "forged")],
  ["active", "new", "stranger's key", "correct", "activates", ends("not-activated", "forged")],
  // Clocks, with an answer.
  ["active", "known", "online", "10 minutes slow", "starts", runs(14 * DAY, skewed)],
  ["active", "known", "online", "10 minutes fast", "starts", runs(14 * DAY, skewed)],
  ["active", "known", "online", "years ahead", "starts", runs(14 * DAY, skewed)],
  ["active", "known", "online", "years behind", "starts", runs(14 * DAY, skewed)],
  ["active", "new", "online", "put years ahead", "activates", runs(14 * DAY, skewed)],
  ["active", "known", "online", "put years back", "starts", runs(14 * DAY, skewed)],
  ["suspended", "known", "online", "put years back", "starts", stops(13, skewed)],
  ["active", "known", "online", "put back after days offline", "starts", runs(14 * DAY, skewed)],
  ["active", "known", "online", "past grace", "starts", runs(14 * DAY)],
  ["active", "known", "online", "past the licence's end", "starts", stops(14)],
  // Clocks, without an answer.
  ["active", "known", "refused", "10 minutes slow", "starts", carriesOn("unreachable", 14 * DAY, skewed)],
  ["active", "known", "refused", "years ahead", "starts", carriesOn("unreachable", 14 * DAY, skewed)],
  ["active", "known", "refused", "years behind", "starts", carriesOn("unreachable", 14 * DAY, skewed)],
  ["active", "known", "refused", "put a minute back", "starts", carriesOn("unreachable", 14 * DAY)],
  ["active", "known", "refused", "put an hour back", "starts", ends("clock-set-back", "unreachable")],
  ["active", "known", "refused", "put years back", "starts", ends("clock-set-back", "unreachable")],
  ["active", "known", "refused", "put years ahead", "starts", ends("grace-ended", "unreachable")],
  ["active", "known", "refused", "put back after days offline", "starts", ends("clock-set-back", "unreachable")],
  [
    "active",
    "known",
    "portal page",
    "put back to extend the grace period",
    "starts",
    ends("clock-set-back", "garbage"),
  ],
  ["active", "known", "refused", "a day later", "starts", carriesOn("unreachable", 14 * DAY - 25 * HOUR)],
  ["active", "known", "hanging", "13 days later", "starts", carriesOn("unreachable", DAY)],
  ["active", "known", "refused", "past grace", "starts", ends("grace-ended", "unreachable")],
  ["active", "known", "503", "past the licence's end", "starts", ends("grace-ended", "busy")],
  // Seats.
  ["concurrent", "new", "online", "correct", "activates", { ...ends("seat-needed"), resultCode: 1 }],
  ["concurrent", "known", "online", "correct", "starts", { ...ends("seat-needed"), resultCode: 1 }],
  ["concurrent", "known", "online", "correct", "takes a seat", runs(halfAnHour)],
  ["concurrent", "known", "refused", "correct", "takes a seat", ends("seat-needed", "unreachable")],
  ["concurrent", "known", "online", "correct", "borrows a seat", runs(8 * HOUR)],
  ["concurrent", "known", "online", "correct", "keeps its seat", ends("seat-needed")],
  ["floating", "known", "online", "correct", "takes a seat", runs(8 * HOUR)],
  ["active", "known", "online", "correct", "takes a seat", runs(14 * DAY)],
  ["concurrent full", "known", "online", "correct", "takes a seat", stops(30)],
  ["concurrent full", "seated", "online", "correct", "takes a seat", runs(halfAnHour)],
  ["concurrent", "seated", "online", "correct", "starts", runs(halfAnHour)],
  ["concurrent", "seated", "online", "20 minutes later", "keeps its seat", runs(halfAnHour)],
  ["concurrent", "seated", "online", "an hour later", "keeps its seat", runs(halfAnHour)],
  ["concurrent full", "seated", "online", "an hour later", "keeps its seat", stops(31)],
  ["concurrent", "with a lost seat", "online", "correct", "keeps its seat", stops(32)],
  ["concurrent revoked", "seated", "online", "correct", "keeps its seat", stops(12)],
  ["concurrent", "seated", "refused", "20 minutes later", "keeps its seat", carriesOn("unreachable", 10 * MINUTE)],
  ["concurrent", "seated", "503", "20 minutes later", "starts", carriesOn("busy", 10 * MINUTE)],
  ["concurrent", "seated", "changed data", "correct", "keeps its seat", carriesOn("forged", halfAnHour)],
  ["concurrent", "seated", "refused", "an hour later", "keeps its seat", ends("grace-ended", "unreachable")],
  ["concurrent", "seated", "refused", "put an hour back", "starts", ends("clock-set-back", "unreachable")],
  ["concurrent", "with a borrowed seat", "online", "20 minutes later", "keeps its seat", runs(6 * HOUR - 20 * MINUTE)],
  ["concurrent", "with a borrowed seat", "online", "an hour later", "starts", runs(5 * HOUR)],
  ["concurrent", "with a borrowed seat", "refused", "an hour later", "starts", carriesOn("unreachable", 5 * HOUR)],
  ["concurrent", "with a borrowed seat", "refused", "a day later", "starts", ends("grace-ended", "unreachable")],
];
