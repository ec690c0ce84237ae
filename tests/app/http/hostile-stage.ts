import { Agent, request } from "node:http";
import { permissions } from "#api/app/permissions.ts";
import { getPermission } from "#api/platform/graphql/permissions.ts";
import { exampleIds, exampleLicenceCode } from "#api/platform/http/route-examples.ts";
import type { Route } from "#api/platform/http/define-route.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createDevice, createLicence, getMachineToken } from "#tests/factories/licence.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import type { ValidCall, HostileInput } from "./hostile-inputs.ts";

/** Creates a caller with access to one endpoint, and the records its path and body refer to. Accepted requests may change them. */
export async function createStage(app: TestApp, route: Route) {
  const { audience } = getPermission(permissions, route.operation);
  const isAdmins = audience === "admin";
  const target = await createUser(app);
  const caller = isAdmins ? await createAdmin(app) : target;
  const licence = await createLicence(app, target, { numberOfMachines: 5 });
  const device = await createDevice(app, licence);
  const contact = await createContact(app, target);
  const promo = await createPromoCode(app);
  const made = { userId: target.id, licenceId: licence.id, tempId: device.id, contactId: contact.id };
  const others = { handle: crypto.randomUUID(), email: `nobody-${target.id}@example.com` };
  const id = route.url.includes("promoCode") ? promo.id : target.id;
  const ids: Record<string, string> = { ...made, ...others, productId: "xer-professional-yearly", id };
  const params = Object.fromEntries(
    [...route.url.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, ids[name] ?? "x"]),
  );
  const own: Record<string, string> = {
    [exampleIds.user]: target.id,
    [exampleIds.licence]: licence.id,
    [exampleIds.device]: device.id,
    [exampleIds.other]: route.url.includes("promoCode") ? promo.id : contact.id,
    [exampleLicenceCode]: licence.licenceCode,
    "pT2kqV…": getMachineToken(app, device),
  };
  const example = JSON.stringify(route.bodyExample ?? null);
  const text = Object.entries(own).reduce((all, [shown, real]) => all.replaceAll(shown, real), example);
  const body = route.body ? (JSON.parse(text) as object) : undefined;
  let token = audience === "everyone" ? undefined : await signInAs(app, caller);
  return {
    validCall: {
      path: route.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "")),
      params,
      ...(body ? { body } : {}),
    } satisfies ValidCall,
    /** Users a rejected request must not change. */
    userIds: [...new Set([target.id, caller.id])],
    /** Returns the caller's token, renewed if an accepted call has ended the session. Undefined if the endpoint needs none. */
    async token(): Promise<string | undefined> {
      if (!token) return undefined;
      const { status } = await app.rest("GET", `/v1/core/accounts/${caller.id}/profile/settings`, { token });
      return (token = status === 200 ? token : await signInAs(app, caller));
    },
  };
}

/** The response to a hostile input. */
export interface HostileResponse {
  readonly input: HostileInput;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request unchanged. No client library normalises its path, headers or body. */
export function sendRaw(
  url: string,
  method: string,
  input: HostileInput,
  token: string | undefined,
): Promise<HostileResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...input.headers };
    const body = input.body === undefined ? undefined : Buffer.from(input.body);
    const length = body ? { "content-length": String(body.length) } : {};
    const sent = request(
      { agent, hostname, port, method, path: input.path, headers: { ...headers, ...length } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => {
          const type = answer.headers["content-type"] ?? "";
          resolve({ input, status: answer.statusCode ?? 0, type, text: Buffer.concat(parts).toString() });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Runs `work` for all items, at most `size` at a time. */
export async function mapInPool<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const runOne = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as Item);
  };
  await Promise.all(Array.from({ length: size }, runOne));
  return results;
}

const digestQuery = `
  select md5(string_agg(row, '|' order by row)) as digest from (
    select 'user' || row_to_json(u)::text as row from users u where u.id = any($1)
    union all select 'licence' || row_to_json(l)::text from licences l where l.user_id = any($1)
    union all select 'device' || row_to_json(d)::text from devices d join licences l on l.id = d.licence_id where l.user_id = any($1)
    union all select 'contact' || row_to_json(c)::text from contacts c where c.user_id = any($1)
    union all select 'subscription' || row_to_json(s)::text from subscriptions s where s.user_id = any($1)
    union all select 'session' || row_to_json(f)::text from sessions f where f.user_id = any($1) and $2
  ) rows`;

/**
 * Returns a digest of all records of the users, to detect changes. Set `andSessions` to include their sessions, but only for
 * users that no request signs in as.
 */
export async function calculateDigest(
  { services }: TestApp,
  userIds: readonly string[],
  andSessions = false,
): Promise<string> {
  return (await services.pool.query<{ digest: string }>(digestQuery, [userIds, andSessions])).rows[0]?.digest ?? "";
}
