import { createRequire } from "node:module";

const real = createRequire(import.meta.url)("@node-rs/argon2") as typeof import("@node-rs/argon2");

/** The smallest cost. Verifying takes the cost from the hash. */
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Hashes as the package does, at the smallest cost. The tests of the API load it instead of the package. */
export const hash: typeof real.hash = (password, options) => real.hash(password, { ...options, ...cheap });

export const { verify } = real;
