import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { callAddinFrom, buildMachine } from "#tests/factories/addin.ts";
import {
  blockMachine,
  createDevice,
  createLicence,
  createSubscription,
  getMachineToken,
} from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import type { Machine } from "#clients/reference/requests.ts";
import type { ReferenceClient } from "#clients/reference/client.ts";
import type { Store } from "#clients/reference/store.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import { type ClientConditions, type ClientUnderTest, connectReferenceClient } from "./client-under-test.ts";

const YEARS = 3 * 365 * DAY;

/** A machine with the add-in, its owner and licence, and their clocks. */
export interface World<Client extends ClientUnderTest = ClientUnderTest> {
  readonly app: TestApp;
  readonly owner: User;
  readonly licence: Licence;
  readonly client: Client;
  /** Delays that the client waited, in milliseconds. */
  readonly waits: number[];
  machine: Machine;
  /** Licence code entered in the client. */
  licenceCode: string;
  /** Difference between the machine's clock and the true time, in milliseconds; positive if the clock is ahead. */
  clockErrorMs: number;
  /** Longest time the client waits for an answer, in milliseconds. */
  timeLimitMs: number;
}

/** A world whose client is the reference client. */
export interface ReferenceWorld extends World<ReferenceClient> {
  readonly store: Store;
}

/** Creates a world without any requests yet. The client uses `url` as the address of the service. */
export async function createWorldOf<Client extends ClientUnderTest>(
  connect: (conditions: ClientConditions) => Client,
  app: TestApp,
  url: string,
  changes: Partial<Licence> = {},
): Promise<World<Client>> {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner, changes);
  const waits: number[] = [];
  const world: World<Client> = {
    app,
    owner,
    licence,
    waits,
    machine: buildMachine() as Machine,
    licenceCode: licence.licenceCode,
    clockErrorMs: 0,
    timeLimitMs: 10_000,
    client: connect({
      url,
      waits,
      now: () => addMilliseconds(app.clock.now(), world.clockErrorMs),
      machine: () => world.machine,
      get timeLimitMs() {
        return world.timeLimitMs;
      },
    }),
  };
  return world;
}

/** Creates a world with the reference client. */
export async function createWorld(app: TestApp, url: string, changes: Partial<Licence> = {}): Promise<ReferenceWorld> {
  const world = await createWorldOf(connectReferenceClient, app, url, changes);
  return Object.assign(world, { store: world.client.options.store });
}

const sql = ({ app }: World, statement: string, ...values: unknown[]) => app.services.pool.query(statement, values);
const setLicence = (world: World, assignment: string, ...values: unknown[]) =>
  sql(world, `update licences set ${assignment} where id = $1`, world.licence.id, ...values);

/** Takes both seats with two devices. */
async function fillSeats({ app, licence }: World): Promise<void> {
  for (const sessionId of ["one", "two"])
    await callAddinFrom(app, await createDevice(app, licence), "lease", licence, { sessionId });
}

const concurrent: Partial<Licence> = {
  licenceType: 3,
  licenceActivationType: 2,
  numberOfUsers: 2,
  numberOfMachines: 5,
  limitFloatingLeasePeriodToHours: 8,
};

/** State of a licence before and during a scenario. */
export interface LicenceState {
  /** Values at creation. By default, the licence runs for a year. */
  readonly made?: Partial<Licence>;
  /** Changes the licence or its owner after the device has been prepared. */
  readonly turn?: (world: World) => Promise<unknown>;
}

/** Licence states by name. */
export const licences = {
  active: {},
  expiring: { turn: (world) => setLicence(world, "expires_at = $2", addMilliseconds(world.app.clock.now(), 3 * DAY)) },
  overdue: { turn: ({ app, licence }) => createSubscription(app, licence, { status: "past_due" }) },
  trial: { made: { productLevel: 3, usageLimit: 20 } },
  "used up": { made: { productLevel: 3, usageLimit: 20 }, turn: (world) => setLicence(world, "usage_count = 20") },
  expired: { turn: (world) => setLicence(world, "expires_at = $2", addMilliseconds(world.app.clock.now(), -HOUR)) },
  suspended: { turn: (world) => setLicence(world, "suspended_at = $2", world.app.clock.now()) },
  revoked: { turn: (world) => setLicence(world, "revoked_at = $2", world.app.clock.now()) },
  archived: {
    turn: (world) => sql(world, "update users set archived_at = $2 where id = $1", world.owner.id, new Date(0)),
  },
  unknown: { turn: (world) => setLicence(world, "licence_code = $2", generateLicenceCode()) },
  standard: { made: { productLevel: 0 } },
  "no features": { made: { productLevel: 19 } },
  downgraded: { turn: (world) => setLicence(world, "product_level = 0") },
  concurrent: { made: concurrent },
  "concurrent full": { made: concurrent, turn: fillSeats },
  "concurrent revoked": {
    made: concurrent,
    turn: (world) => setLicence(world, "revoked_at = $2", world.app.clock.now()),
  },
  floating: { made: { ...concurrent, licenceActivationType: 1 } },
  "virtual allowed": { made: { allowOnVms: true } },
} satisfies Record<string, LicenceState>;

export type LicenceName = keyof typeof licences;

/** Device states by name. Each brings the machine into its state before the request. */
export const devices = {
  new: async () => {},
  known: (world) => world.client.activate(world.licenceCode),
  drifted: async (world) => {
    await devices.known(world);
    const components = { ...world.machine.components, disk: "x", mac: "x" };
    world.machine = { ...world.machine, fingerprint: "drifted-print", components };
  },
  copied: async (world) => {
    await devices.known(world);
    world.machine = buildMachine() as Machine;
  },
  freed: async (world) => {
    await devices.known(world);
    await sql(world, "update devices set freed_at = $2 where licence_id = $1", world.licence.id, world.app.clock.now());
  },
  blocked: async (world) => {
    await devices.known(world);
    await blockMachine(world.app, world.owner, world.machine.machineName);
  },
  virtual: async (world) => {
    await devices.known(world);
    world.machine = { ...world.machine, isVm: true };
  },
  "with another device's token": async (world) => {
    await devices.known(world);
    await world.client.setMachineToken(getMachineToken(world.app, await createDevice(world.app, world.licence)));
  },
  "with a token for another licence": async (world) => {
    await devices.known(world);
    const other = await createDevice(world.app, await createLicence(world.app, world.owner));
    await world.client.setMachineToken(getMachineToken(world.app, other));
  },
  "with an unknown token": async (world) => {
    await devices.known(world);
    await world.client.setMachineToken("nobody-gave-this");
  },
  "over the limit": async (world) => void (await createDevice(world.app, world.licence)),
  "with a licence file": async (world) => {
    await devices.known(world);
    const until = addMilliseconds(world.app.clock.now(), DAY);
    await sql(world, "update devices set offline_until = $2 where licence_id = $1", world.licence.id, until);
  },
  "that already had a trial": async (world) => {
    const before = await createWorld(world.app, world.app.url, { productLevel: 3, usageLimit: 20 });
    before.machine = world.machine;
    await before.client.activate(before.licenceCode);
  },
  seated: async (world) => {
    await devices.known(world);
    await world.client.lease();
  },
  "with a borrowed seat": async (world) => {
    await devices.known(world);
    await world.client.lease({ borrowHours: 6 });
  },
  "with a lost seat": async (world) => {
    await devices.seated(world);
    await sql(world, "update leases set ended_at = now(), ended_by = 'admin' where licence_id = $1", world.licence.id);
  },
} satisfies Record<string, (world: World) => Promise<unknown>>;

export type DeviceName = keyof typeof devices;

/** Clock of a machine during a scenario. */
export interface ClockState {
  /** Error of the machine's clock, in milliseconds, when the device is prepared and when the request is sent. */
  readonly before?: number;
  readonly error?: number;
  /** Delay of the request, in milliseconds. */
  readonly later?: number;
  /** Time of an earlier run without a network, after the device was prepared, in milliseconds. */
  readonly ranOfflineAfter?: number;
}

/** Clock states by name. */
export const clocks = {
  correct: {},
  "10 minutes slow": { before: -10 * MINUTE, error: -10 * MINUTE },
  "10 minutes fast": { before: 10 * MINUTE, error: 10 * MINUTE },
  "years ahead": { before: YEARS, error: YEARS },
  "years behind": { before: -YEARS, error: -YEARS },
  "put years ahead": { error: YEARS },
  "put years back": { error: -YEARS },
  "put an hour back": { error: -HOUR },
  "put a minute back": { error: -MINUTE },
  "put back after days offline": { later: 5 * DAY, ranOfflineAfter: 4 * DAY, error: -3 * DAY },
  "put back to extend the grace period": { later: 20 * DAY, ranOfflineAfter: 13 * DAY, error: -19 * DAY },
  "20 minutes later": { later: 20 * MINUTE },
  "an hour later": { later: HOUR },
  "a day later": { later: 25 * HOUR },
  "13 days later": { later: 13 * DAY },
  "past grace": { later: 15 * DAY },
  "past the licence's end": { later: 366 * DAY },
} satisfies Record<string, ClockState>;

export type ClockName = keyof typeof clocks;
