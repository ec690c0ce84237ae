/**
 * Keeps a copy of the portal's customers in a folder, as a CRM would: one JSON file for each, with contacts, licences,
 * devices and invoices. It first reads everyone, then follows the webhooks. It needs Node 22 or later and no packages.
 *
 *   PORTAL_URL=https://portal.example PORTAL_TOKEN=… WEBHOOK_SECRET=whsec_… node crm-sync.mjs FOLDER PORT
 *
 * The token needs the scopes `users:read`, `licences:read` and `billing:read`, and an account of the vendor's staff with
 * the role `support` or `owner`.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { PORTAL_URL, PORTAL_TOKEN, WEBHOOK_SECRET = "" } = process.env;
const [folder = "crm", port = "8080"] = process.argv.slice(2);

const fields = `
  id firstName lastName email companyName memberType registeredAt isActive
  contacts { id firstName lastName email phone contactType }
  licences { id supportCode subscriptionLevel status expiresAt devices { id machineName lastSeenAt } }
  invoices { number issuedAt totalCents }`;

/**
 * Sends an operation. Waits when the portal is busy or limits the rate, returns nothing for what is gone, and throws the first
 * other error of an answer.
 */
async function query(text, variables) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${PORTAL_URL}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${PORTAL_TOKEN}` },
      body: JSON.stringify({ query: text, variables }),
    });
    if ([429, 503].includes(answer.status) && attempt < 10) {
      await sleep(1_000 * Number(answer.headers.get("retry-after") ?? 5));
      continue;
    }
    const { data, errors } = await answer.json();
    if (errors?.[0].extensions.code === "NOT_FOUND") return {};
    if (errors) throw new Error(errors[0].message);
    return data;
  }
}

let earlier = Promise.resolve();

/** Runs work after all earlier work, so that an older answer never replaces a newer one. */
function inTurn(work) {
  return (earlier = earlier.then(work, work));
}

const remove = (id) => rm(join(folder, `${id}.json`), { force: true });

/** Writes a user's file under another name first, so that a reader never sees half of it. */
async function save(user) {
  // An erased user has an address that can't exist. Later events, such as of the ended licences, must not copy them again.
  if (user.email.endsWith("@deleted.invalid") || user.memberType === "ADMIN") return remove(user.id);
  const file = join(folder, `${user.id}.json`);
  await writeFile(`${file}.part`, JSON.stringify(user, null, 2));
  await rename(`${file}.part`, file);
}

async function copyPage(after) {
  const { users } = await query(
    `query Everyone($after: String) {
       users(first: 20, after: $after, filter: { userTypes: [REGULAR, CORPORATE] }) { endCursor rows { ${fields} } } }`,
    { after },
  );
  for (const user of users.rows) await save(user);
  return users;
}

async function copyEveryone() {
  let after = null;
  let copied = 0;
  do {
    const { rows, endCursor } = await inTurn(() => copyPage(after));
    copied += rows.length;
    after = endCursor;
  } while (after);
  return copied;
}

/** Reads a user again, because events can arrive twice and in any order. A user who is gone loses the file. */
async function copyUser(id) {
  const { user } = await query(`query One($id: ID!) { user(id: $id) { ${fields} } }`, { id });
  await (user ? save(user) : remove(id));
}

function isSigned(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": sentAt, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1_000 - Number(sentAt)) < 300)) return false;
  const key = Buffer.from(WEBHOOK_SECRET.replace("whsec_", ""), "base64");
  const expected = Buffer.from(`v1,${createHmac("sha256", key).update(`${id}.${sentAt}.${body}`).digest("base64")}`);
  return signatures
    .split(" ")
    .some((one) => one.length === expected.length && timingSafeEqual(Buffer.from(one), expected));
}

async function readBody(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function receive(request, response) {
  const body = await readBody(request);
  if (!isSigned(request.headers, body)) return response.writeHead(400).end();
  const { type, data } = JSON.parse(body);
  try {
    if (type === "user.erased") await inTurn(() => remove(data.userId));
    else if (data.userId) await inTurn(() => copyUser(data.userId));
    response.writeHead(204).end();
    console.log(`${type} ${data.userId ?? ""}`);
  } catch (error) {
    // The portal sends the event again.
    response.writeHead(500).end();
    console.error(`${type}: ${error.message}`);
  }
}

await mkdir(folder, { recursive: true });
// Listens first, so that nothing is missed while everyone is read.
const server = createServer((request, response) => void receive(request, response)).listen(Number(port));
await once(server, "listening");
console.log(`listening on ${server.address().port}`);
console.log(`copied ${await copyEveryone()} customers`);
