// The texts by which the portal's operations are known (docs/decisions/0052), for the generators and the build.
const { createHash } = require("node:crypto");
const { InMemoryCache } = require("@apollo/client");
const { print } = require("graphql");

const apollo = new InMemoryCache();

/** What Apollo Client sends of a document: it asks for the type's name of everything its cache keeps. */
exports.textByApollo = (document) => print(apollo.transformDocument(document));

/** What is sent without Apollo Client. */
exports.plainText = (document) => print(document);

/** By which the server knows a text: its SHA-256 in hex. */
exports.hashOfText = (text) => createHash("sha256").update(text).digest("hex");
