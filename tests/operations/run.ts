/**
 * Runs the scenarios of production (`npm run test:operations`): restarts, upgrades, poolers, replicas, kills and failovers
 * under load, a drill of backup and restore, and a soak of two hours. `npm run test:operations -- replica` runs one.
 * `OPERATIONS_SCALE` shrinks the numbers of kills, `DRILL_GB` the database of the drill, and `SOAK_MINUTES` the soak.
 * Installs the Debian packages it needs.
 */
import { rmSync } from "node:fs";
import process from "node:process";
import { buildServer } from "#tests/support/server-process.ts";
import { type Commands, requireCommands } from "./debian.ts";
import { drill } from "./drill.ts";
import { failOver } from "./failover.ts";
import { killAtMoments, killAtRandom } from "./kill/campaign.ts";
import type { Outcome } from "./outcome.ts";
import { soak } from "./soak.ts";
import { loseReplica, restartRolling, upgradeUnderReader, usePgBouncer } from "./scenarios.ts";

const scenarios: Readonly<Record<string, (bundle: string) => Promise<Outcome>>> = {
  restart: restartRolling,
  upgrade: upgradeUnderReader,
  pgbouncer: usePgBouncer,
  replica: loseReplica,
  kill: killAtRandom,
  moments: killAtMoments,
  failover: failOver,
  drill,
  soak,
};

/** Commands of Debian packages that a scenario needs. */
const needs: Readonly<Record<string, Commands>> = {
  restart: { haproxy: "haproxy" },
  upgrade: { haproxy: "haproxy" },
  pgbouncer: { pgbouncer: "pgbouncer" },
  failover: { patroni: "patroni", etcd: "etcd-server", haproxy: "haproxy", pg_createcluster: "postgresql-15" },
};

process.setMaxListeners(100);
// The programs that the scenarios start end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const chosen = process.argv.slice(2);
const bundle = await buildServer();
let failed = 0;
for (const [name, run] of Object.entries(scenarios)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  requireCommands(needs[name] ?? {});
  const { figures, faults } = await run(bundle).catch((error: unknown) => ({
    figures: "",
    faults: [String((error as Error).stack)],
  }));
  failed += faults.length > 0 ? 1 : 0;
  process.stdout.write(`${faults.length > 0 ? "FAILED" : "ok    "} ${name}: ${figures}\n`);
  for (const fault of faults) process.stdout.write(`       ${fault}\n`);
}
rmSync(bundle, { recursive: true, force: true });
process.exit(failed > 0 ? 1 : 0);
