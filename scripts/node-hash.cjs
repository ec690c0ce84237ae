// Replaces `sha.js` in the bundle: @apollo/utils.createhash looks for `module.require`, which a bundle lacks, and would
// otherwise hash each operation in JavaScript.
module.exports = require("node:crypto").createHash;
