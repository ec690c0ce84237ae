import Fastify from "fastify";
import jsonwebtoken from "jsonwebtoken";
import { createHash } from "node:crypto";
import process from "node:process";
import pg from "pg";
import { featuresOfProductLevel } from "#schema/product-level.ts";
import { ResultCode, type ResultCodeName } from "#schema/result-code.ts";
import { loadSigningKeys } from "#api/platform/keys/signing-keys.ts";

/**
 * Baseline server for comparison with the product. It builds the same response the conventional way: Fastify with a JSON
 * schema, `pg` with a transaction for each request (read, lock, decide, update, insert, commit) and `jsonwebtoken` for the
 * proof. It has no activation, hardware drift or batches, and logs as much as the product.
 */
const { PORT, DATABASE_URL = "", KEYS_DIR = "" } = process.env;
const { host, port, user, password, database } = parseAddress(DATABASE_URL);
const pool = new pg.Pool({ host, port, user, password, database, max: 10 });
const key = loadSigningKeys({ signingKeys: null, dataDir: KEYS_DIR }).current;

interface Question {
  licenceCode: string;
  machineToken: string;
  /** Sent with a heartbeat. */
  leaseId?: string;
  nonce: string;
  clientTimeUtc: string;
  addInVersion: string;
  hostVersion: string;
  machine: {
    machineName: string;
    fingerprint: string;
    components?: Record<string, string>;
    osUser?: string;
    isVm: boolean;
  };
}

const text = { type: "string", minLength: 1, maxLength: 200 };
const body = {
  type: "object",
  required: ["licenceCode", "machineToken", "nonce", "clientTimeUtc", "addInVersion", "hostVersion", "machine"],
  properties: {
    licenceCode: text,
    machineToken: text,
    leaseId: { type: "string", format: "uuid" },
    nonce: { ...text, minLength: 8 },
    clientTimeUtc: { type: "string", format: "date-time" },
    addInVersion: text,
    hostVersion: text,
    machine: {
      type: "object",
      required: ["machineName", "fingerprint", "isVm"],
      properties: {
        machineName: text,
        fingerprint: text,
        components: { type: "object", additionalProperties: text },
        osUser: text,
        isVm: { type: "boolean" },
      },
    },
  },
};

const app = Fastify({ logger: { level: "info" }, disableRequestLogging: true });
app.get("/health/ready", () => ({ ok: true }));
for (const path of ["/v1/licence/validate", "/v1/licence/heartbeat"])
  app.post<{ Body: Question }>(path, { schema: { body } }, async (request) => respond(request.body, request.ip));
await app.listen({ port: Number(PORT), host: "127.0.0.1" });
process.on("SIGTERM", () => void app.close().then(() => process.exit(0)));
process.on("disconnect", () => process.exit(0));

async function respond(question: Question, ip: string) {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const decided = await decide(client, question, ip);
    await client.query("commit");
    return decided;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

async function decide(client: pg.PoolClient, question: Question, ip: string) {
  const now = new Date();
  const name = question.machine.machineName.trim().toLowerCase();
  const { rows: licences } = await client.query(
    `select l.*, u.archived_at,
            exists (select from blocked_machines b where b.user_id = u.id and b.compared_name = any($2)) as is_blocked,
            exists (select from subscriptions s where s.licence_id = l.id and s.status = 'past_due') as is_overdue
       from licences l join users u on u.id = l.user_id where l.licence_code = $1`,
    [question.licenceCode, [name, name.split("|")[0]?.trim()]],
  );
  const tokenHash = createHash("sha256").update(question.machineToken).digest("base64url");
  const { rows: devices } = await client.query("select * from devices where token_hash = $1 for update", [tokenHash]);
  const licence = licences[0];
  const device = devices[0];
  if (!licence || !device) throw new Error("Unknown licence or device.");
  const isSame = device.licence_id === licence.id && !device.freed_at;
  const licenceState = decideLicenceCode(licence, isSame, now);
  const code =
    licenceState === "VALID" && question.leaseId
      ? await keepSeat(client, question.leaseId, device.id, now)
      : licenceState;
  if (isSame)
    await client.query(
      "update devices set last_seen_at = $2, machine_name = $3, os_user = $4, is_vm = $5, components = $6 where id = $1",
      [
        device.id,
        now,
        question.machine.machineName,
        question.machine.osUser ?? null,
        question.machine.isVm,
        question.machine.components ?? device.components,
      ],
    );
  await client.query(
    `insert into licence_events (at, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version,
                                 host_version, ip, last_at)
     values ($1, '${question.leaseId ? "heartbeat" : "validate"}', $2, $3, $4, $5, $6, $7, $8, $9, $1)`,
    [
      now,
      ResultCode[code],
      licence.id,
      isSame ? device.id : null,
      question.machine.machineName,
      question.machine.osUser ?? null,
      question.addInVersion,
      question.hostVersion,
      ip,
    ],
  );
  return buildResponse(question, { code, licence, deviceId: isSame ? device.id : null, now });
}

/** Extends a lease. Unlike the product, it doesn't take a new seat for an expired lease. */
async function keepSeat(client: pg.PoolClient, id: string, deviceId: string, now: Date): Promise<ResultCodeName> {
  const { rows } = await client.query("select * from leases where id = $1 and device_id = $2 for update", [
    id,
    deviceId,
  ]);
  const lease = rows[0];
  if (!lease || lease.ended_at || lease.expires_at <= now) return "LEASE_NOT_FOUND";
  await client.query(
    "update leases set last_heartbeat_at = $2, expires_at = greatest(expires_at, $2::timestamptz + interval '30 minutes') where id = $1",
    [id, now],
  );
  return "VALID";
}

function decideLicenceCode(licence: Record<string, unknown>, isSame: boolean, now: Date): ResultCodeName {
  if (licence.archived_at) return "ACCOUNT_INACTIVE";
  if (licence.is_blocked) return "MACHINE_BLOCKED";
  if (licence.revoked_at) return "LICENCE_REVOKED";
  if (licence.suspended_at) return "LICENCE_SUSPENDED";
  if ((licence.expires_at as Date) <= now) return "LICENCE_EXPIRED";
  return isSame ? "VALID" : "NOT_ACTIVATED";
}

/** Builds the response with its proof. It leaves out the message and grace times, which the product adds. */
function buildResponse(
  question: Question,
  found: { code: ResultCodeName; licence: Record<string, unknown>; deviceId: string | null; now: Date },
) {
  const { code, licence, deviceId, now } = found;
  const warnings = [];
  if (code === "VALID" && licence.is_overdue) warnings.push("PAYMENT_OVERDUE");
  if (Math.abs(Date.parse(question.clientTimeUtc) - now.getTime()) > 300_000) warnings.push("CLOCK_SKEW");
  const data = {
    valid: code === "VALID",
    resultCode: ResultCode[code],
    code,
    warnings,
    serverTimeUtc: now.toISOString(),
    licence: {
      id: licence.id,
      productLevel: licence.product_level,
      licenceType: licence.licence_type,
      licenceActivationType: licence.licence_activation_type,
      features: featuresOfProductLevel[licence.product_level as number] ?? [],
      expiryDateUtc: (licence.expires_at as Date).toISOString(),
    },
    ...(deviceId ? { machine: { id: deviceId } } : {}),
  };
  const proof = jsonwebtoken.sign(
    { data, nonce: question.nonce, fingerprint: question.machine.fingerprint },
    key.privateKey,
    {
      algorithm: "ES256",
      keyid: key.kid,
      expiresIn: "14d",
    },
  );
  return { data, proof };
}

function parseAddress(url: string) {
  const { hostname, port: number, username, password: secret, pathname } = new URL(url);
  return {
    host: decodeURIComponent(hostname),
    port: Number(number),
    user: username,
    password: secret,
    database: pathname.slice(1),
  };
}
