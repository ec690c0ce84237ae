// Prints and hashes the portal's operations (docs/decisions/0052) for the generators and the build.
const { createHash } = require("node:crypto");
const { InMemoryCache } = require("@apollo/client");
const { print } = require("graphql");

const apollo = new InMemoryCache();

/** Prints a document as Apollo Client sends it, with `__typename` in every selection set that its cache stores. */
exports.printForApollo = (document) => print(apollo.transformDocument(document));

/** Prints a document as pages without Apollo Client send it. */
exports.printPlain = (document) => print(document);

/** Returns the SHA-256 hash of a text in hex, which identifies the operation to the server. */
exports.hashText = (text) => createHash("sha256").update(text).digest("hex");
